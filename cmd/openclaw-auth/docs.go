package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor/words"
)

func docsCommand(w world) *cli.Command {
	docs := group("docs", `Manual pages, the reference and the schemas of JSON documents are made from the
commands themselves.

Examples:
  openclaw-auth docs man ./man
  openclaw-auth docs markdown ./reference

Exit codes: 0 done, 2 usage or a file that can't be written.`,
		docsPagesCommand(w, "man", "write the manual pages", manPages),
		docsPagesCommand(w, "markdown", "write the reference as Markdown", markdownPages),
		docsSchemaCommand(w),
	)
	return docs
}

// docsPagesCommand builds a command that writes one file a page.
func docsPagesCommand(w world, name, about string, render func(*page) (file, content string)) *cli.Command {
	return leaf(w, cli.Command{
		Name: name, Usage: about, ArgsUsage: "DIR", Category: homeless,
		Description: fmt.Sprintf(`Writes one file for each command into DIR, which is made if it is missing. The
output is the same for the same version.

Example: openclaw-auth docs %s ./docs

Exit codes: 0 done, 2 usage or a file that can't be written.`, name),
	}, func(s *session) error {
		if s.flags.NArg() != 1 {
			return usage("docs %s needs the DIR to write to, such as: docs %s ./docs", name, name)
		}
		directory := s.flags.Args().First()
		if err := os.MkdirAll(directory, 0o755); err != nil {
			return err
		}
		pages := allPages()
		for _, page := range pages {
			file, content := render(page)
			if err := os.WriteFile(filepath.Join(directory, file), []byte(content), 0o644); err != nil {
				return err
			}
		}
		if s.json {
			return s.writeJSON(docsDocument{"openclaw-auth/docs-" + name + "/v1", directory, len(pages)})
		}
		words.Printf(s.stdout, "%d pages written to %s\n", len(pages), directory)
		return nil
	})
}

// docsDocument is the answer of docs man and docs markdown.
type docsDocument struct {
	Schema    string `json:"schema"`
	Directory string `json:"directory"`
	Pages     int    `json:"pages"`
}

// allPages are the pages of the program and of every command, in the order of help.
func allPages() []*page {
	root := newRoot(world{}, nil)
	pages := []*page{pageOf(root, nil, nil)}
	eachPath(root.Commands, nil, func(path []string, command *cli.Command) {
		if !command.Hidden {
			pages = append(pages, pageOf(root, path, command))
		}
	})
	return pages
}

func (p *page) file(extension string) string { return strings.ReplaceAll(p.name, " ", "-") + extension }

// manPages renders a page for man.
func manPages(p *page) (file, content string) {
	var b strings.Builder
	section := func(name string) { fmt.Fprintf(&b, ".SH %s\n", name) }
	tagged := func(tag, text string) { fmt.Fprintf(&b, ".TP\n%s\n%s\n", tag, roff(text)) }
	fmt.Fprintf(&b, ".TH %s 1 \"\" openclaw-auth\n", strings.ToUpper(roff(p.file(""))))
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(p.file("")), roff(p.usage))
	section("SYNOPSIS")
	fmt.Fprintf(&b, "\\fB%s\\fR%s\n", roff(p.name), roff(strings.TrimPrefix(p.synopsis, p.name)))
	if len(p.about) > 0 {
		section("DESCRIPTION")
		for i, paragraph := range p.about {
			if i > 0 {
				b.WriteString(".PP\n")
			}
			b.WriteString(roff(paragraph) + "\n")
		}
	}
	if len(p.commands) > 0 {
		section("COMMANDS")
		for _, command := range p.commands {
			tagged("\\fB"+roff(command.name)+"\\fR", command.usage)
		}
	}
	for _, part := range []struct {
		name  string
		flags []flagDoc
	}{{"OPTIONS", p.flags}, {"GLOBAL OPTIONS", p.shared}} {
		if len(part.flags) > 0 {
			section(part.name)
		}
		for _, flag := range part.flags {
			tag := "\\fB\\-\\-" + roff(flag.name) + "\\fR"
			if flag.value != "" {
				tag += " \\fI" + roff(flag.value) + "\\fR"
			}
			tagged(tag, flag.text())
		}
	}
	if len(p.examples) > 0 {
		section("EXAMPLES")
		fmt.Fprintf(&b, ".nf\n")
		for _, example := range p.examples {
			b.WriteString(roff(example) + "\n")
		}
		fmt.Fprintf(&b, ".fi\n")
	}
	if p.exits != "" {
		section("EXIT STATUS")
		b.WriteString(roff(p.exits) + "\n")
	}
	if more := p.seeAlso(); len(more) > 0 {
		section("SEE ALSO")
		for i, name := range more {
			more[i] = "\\fB" + roff(name) + "\\fR(1)"
		}
		b.WriteString(strings.Join(more, ",\n") + "\n")
	}
	return p.file(".1"), b.String()
}

// roff escapes text for troff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// seeAlso names the pages around a page: the one above and those below.
func (p *page) seeAlso() []string {
	var names []string
	if above, _, found := cutLast(p.file(""), strings.Fields(p.name)); found {
		names = append(names, above)
	}
	for _, command := range p.commands {
		names = append(names, p.file("")+"-"+command.name)
	}
	return names
}

// cutLast takes the last word of a command off its file name.
func cutLast(file string, name []string) (before, after string, found bool) {
	if len(name) < 2 {
		return file, "", false
	}
	last := name[len(name)-1]
	return strings.TrimSuffix(file, "-"+last), last, true
}

// markdownPages renders a page of the reference.
func markdownPages(p *page) (file, content string) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n```\n%s\n```\n", p.name, markdown(p.usage), p.synopsis)
	for _, paragraph := range p.about {
		fmt.Fprintf(&b, "\n%s\n", markdown(paragraph))
	}
	if len(p.commands) > 0 {
		b.WriteString("\n## Commands\n\n| command | |\n|---|---|\n")
		for _, command := range p.commands {
			fmt.Fprintf(&b, "| [%s](%s-%s.md) | %s |\n", command.name, p.file(""), command.name, markdown(command.usage))
		}
	}
	if len(p.examples) > 0 {
		b.WriteString("\n## Examples\n\n```sh\n" + strings.Join(p.examples, "\n") + "\n```\n")
	}
	for _, part := range []struct {
		name  string
		flags []flagDoc
	}{{"Flags", p.flags}, {"Global flags", p.shared}} {
		if len(part.flags) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| flag | |\n|---|---|\n", part.name)
		for _, flag := range part.flags {
			name := strings.TrimSpace("--" + flag.name + " " + strings.ReplaceAll(flag.value, "|", `\|`))
			fmt.Fprintf(&b, "| `%s` | %s |\n", name, markdown(flag.text()))
		}
	}
	if p.exits != "" {
		fmt.Fprintf(&b, "\n## Exit codes\n\n%s\n", markdown(p.exits))
	}
	return p.file(".md"), b.String()
}

// markdown escapes text for a paragraph or a cell of a table.
func markdown(text string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`, "~", `\~`).Replace(text)
}
