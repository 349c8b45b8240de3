// Command record asks released versions of OpenClaw what they answer, and finds
// the rules that explain it. See README.md in this folder.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"openclaw-auth/auth/release"
)

const usage = `usage:
  record setup DIR VERSION...          fetch releases of OpenClaw, and a Node for them, into DIR
  record run DIR VERSION [FILE...]     ask VERSION the questions of FILEs (those of testdata by default)
  record fit [-from LINE] [-to LINE] RECORDINGS VERSION...
                                       find the step of the table that explains what VERSION answered
  record diff RECORDINGS OLD NEW       what two releases answer otherwise
  record keep RECORDINGS INTO VERSION... write the small recordings of testdata/recordings

RECORDINGS is DIR/recordings. Example, from the top of the repository:
  go run ./scripts/record setup /tmp/openclaw 2026.9.5
  go run ./scripts/record run /tmp/openclaw 2026.9.5
  go run ./scripts/record fit /tmp/openclaw/recordings 2026.9.5
`

func main() {
	args := os.Args[1:]
	var err error
	switch {
	case len(args) >= 3 && args[0] == "setup":
		err = setup(args[1], args[2:])
	case len(args) >= 3 && args[0] == "run":
		err = runQuestions(args[1], args[2], args[3:])
	case len(args) >= 3 && args[0] == "fit":
		err = fitted(args[1:])
	case len(args) == 4 && args[0] == "diff":
		err = difference(args[1], args[2], args[3])
	case len(args) >= 4 && args[0] == "keep":
		err = keep(args[1], args[2], args[3:])
	default:
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

// fitted is the command fit: its flags say between which lines the rules of the
// releases are looked for.
func fitted(args []string) error {
	flags := flag.NewFlagSet("fit", flag.ContinueOnError)
	from := flags.String("from", "", "the line whose rules are the start; the release's own without it")
	to := flags.String("to", "", "the line whose rules are tried; the next one that has others without it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 2 {
		return errors.New("fit needs recordings and a release, such as: fit /tmp/openclaw/recordings 2026.9.5")
	}
	for _, line := range []string{*from, *to} {
		if line != "" && release.Place(line) < 0 {
			return fmt.Errorf("%q is no line of the table", line)
		}
	}
	return fit(os.Stdout, flags.Arg(0), flags.Args()[1:], *from, *to)
}

// runQuestions asks the questions of the given files, or those of the newest
// release that is known.
func runQuestions(dir, version string, files []string) error {
	if len(files) == 0 {
		newest := release.Newest()
		found, err := filepath.Glob(filepath.Join("testdata", "vectors", newest, "*.jsonl.gz"))
		if err != nil {
			return err
		}
		if kept := filepath.Join("testdata", "recordings", newest+".jsonl.gz"); len(found) > 0 {
			files = append(found, kept)
		}
	}
	if len(files) == 0 {
		return fmt.Errorf("no questions: name files of them, or run this at the top of the repository")
	}
	return ask(dir, []string{version}, files)
}
