package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// page is what there is to say about a command: its help, its manual page and
// its part of the reference are three ways to show it.
type page struct {
	name     string // with the program's, "openclaw-auth auth order"
	usage    string // one line
	synopsis string
	about    []string // paragraphs
	examples []string // command lines
	exits    string   // what each exit code says
	commands []commandDoc
	flags    []flagDoc
	shared   []flagDoc
}

type commandDoc struct{ name, usage string }

type flagDoc struct {
	name, value, about string
	variable, fallback string
}

// pageOf makes the page of a command, or of the program for nil.
func pageOf(root *cli.App, path []string, command *cli.Command) *page {
	p := &page{name: strings.Join(append([]string{root.Name}, path...), " ")}
	description, commands, arguments := root.Description, root.Commands, ""
	p.usage = root.Usage
	if command != nil {
		p.usage, description, commands, arguments = command.Usage, command.Description, command.Subcommands, command.ArgsUsage
		p.flags = flagDocs(command.Flags)
	} else {
		command = &cli.Command{}
	}
	p.shared = flagDocs(sharedFlagsOf(command))
	p.about, p.examples, p.exits = sections(description)
	for _, sub := range commands {
		if !sub.Hidden {
			p.commands = append(p.commands, commandDoc{sub.Name, sub.Usage})
		}
	}
	p.synopsis = p.name
	if command.Action == nil {
		p.synopsis += " COMMAND"
	}
	p.synopsis += " [FLAG…]"
	if arguments != "" {
		p.synopsis += " " + arguments
	}
	return p
}

func flagDocs(flags []cli.Flag) []flagDoc {
	var docs []flagDoc
	for _, flag := range flags {
		doc := flagDoc{name: nameOf(flag), value: valueName(flag), about: strings.ReplaceAll(aboutOf(flag), "`", "")}
		if documented, ok := flag.(cli.DocGenerationFlag); ok {
			doc.variable = strings.Join(documented.GetEnvVars(), ", ")
		}
		if f, ok := flag.(*cli.StringFlag); ok {
			doc.fallback = f.Value
		}
		docs = append(docs, doc)
	}
	slices.SortFunc(docs, func(a, b flagDoc) int { return strings.Compare(a.name, b.name) })
	return docs
}

// sections takes a description apart: paragraphs, then "Example:" or
// "Examples:" with command lines, then "Exit codes:" with what each says.
func sections(description string) (about, examples []string, exits string) {
	for part := range strings.SplitSeq(description, "\n\n") {
		switch {
		case strings.HasPrefix(part, "Exit codes: "):
			exits = strings.Join(strings.Fields(strings.TrimPrefix(part, "Exit codes: ")), " ")
		case strings.HasPrefix(part, "Example: "):
			examples = append(examples, strings.TrimPrefix(part, "Example: "))
		case strings.HasPrefix(part, "Examples:\n"):
			for line := range strings.Lines(strings.TrimPrefix(part, "Examples:\n")) {
				examples = append(examples, strings.TrimSpace(line))
			}
		case part != "":
			about = append(about, strings.Join(strings.Fields(part), " "))
		}
	}
	return about, examples, exits
}
