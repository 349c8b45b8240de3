package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor/words"
)

// nearest returns the candidate that somebody who typed a word may have meant:
// the same in other letters, the one that begins with it, or the one with the
// fewest letters changed; "" if none is near.
func nearest(typed string, candidates []string) string {
	best, distance := "", 0
	lower := strings.ToLower(typed)
	for _, candidate := range candidates {
		d := editDistance(lower, strings.ToLower(candidate))
		if begins := strings.HasPrefix(strings.ToLower(candidate), lower); begins && lower != "" {
			d = min(d, 1)
		}
		if d <= 1+len(candidate)/4 && d < len(candidate) && (best == "" || d < distance) {
			best, distance = candidate, d
		}
	}
	return best
}

// didYouMean is the end of an error about a word that is not one of the
// candidates: the nearest of them, or else what there is.
func didYouMean(typed string, candidates []string) string {
	if near := nearest(typed, candidates); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	if len(candidates) == 0 {
		return ""
	}
	return " (there are: " + words.List(candidates, 12) + ")"
}

// editDistance counts the letters to insert, remove, replace or swap with the next.
func editDistance(a, b string) int {
	var before []int
	previous := make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := range len(a) {
		current := []int{i + 1}
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d := min(previous[j+1]+1, current[j]+1, previous[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			current = append(current, d)
		}
		before, previous = previous, current
	}
	return previous[len(b)]
}

func commandNames(commands []*cli.Command) []string {
	var names []string
	for _, command := range commands {
		if !command.Hidden {
			names = append(names, command.Name)
		}
	}
	return names
}

// unknownCommand says which command may have been meant: one of the same
// group, or one of that name in another.
func unknownCommand(root *cli.App, in *invocation, word string) error {
	names := commandNames(in.subcommands(root))
	if near := nearest(word, names); near != "" {
		return usage("unknown command %q for %s (did you mean %q?)", word, in.name(root), near)
	}
	var elsewhere, lasts []string
	eachPath(newRoot(world{}, nil).Commands, nil, func(path []string, command *cli.Command) {
		if len(path) > 1 && !command.Hidden {
			elsewhere, lasts = append(elsewhere, strings.Join(path, " ")), append(lasts, command.Name)
		}
	})
	if near := nearest(word, lasts); near != "" {
		return usage("unknown command %q for %s (did you mean %q?)", word, in.name(root), elsewhere[slices.Index(lasts, near)])
	}
	return usage("unknown command %q for %s (there are: %s)", word, in.name(root), strings.Join(names, ", "))
}

// eachPath visits every command with its names.
func eachPath(commands []*cli.Command, path []string, visit func([]string, *cli.Command)) {
	for _, command := range commands {
		here := append(slices.Clone(path), command.Name)
		visit(here, command)
		eachPath(command.Subcommands, here, visit)
	}
}

// unknownFlag says which flag may have been meant.
func unknownFlag(in *invocation, flag givenFlag) error {
	var names []string
	for _, f := range in.command.Flags {
		names = append(names, nameOf(f))
	}
	hint := ""
	if near := nearest(flag.name, names); near != "" {
		hint = fmt.Sprintf(" (did you mean --%s?)", near)
	}
	return usage("unknown flag %s for %q%s", flag.typed, strings.Join(in.path, " "), hint)
}
