package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"openclaw-auth/doctor/words"
)

//go:embed report.html
var reportSource string

// html writes the report as one page.
func (r *reportDocument) html(w io.Writer) error {
	made, err := template.New("report").Parse(reportSource)
	if err != nil {
		return err
	}
	return made.Execute(w, r)
}

// markdown writes the report as Markdown, folded where a section is long.
func (r *reportDocument) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# OpenClaw auth and failover report\n\nopenclaw-auth %s, %s. Rules of %s (%s).", r.Version, r.Made, r.Rules, markdownText(r.Evidence))
	if r.Aliases {
		b.WriteString(" Ids are aliases.")
	}
	b.WriteString("\n")
	for _, section := range r.Sections {
		fmt.Fprintf(&b, "\n## %s\n\n", markdownText(section.Title))
		for _, line := range section.Lines {
			fmt.Fprintf(&b, "- %s\n", markdownText(line))
		}
		if len(section.Rows) == 0 {
			continue
		}
		if len(section.Lines) > 0 {
			b.WriteString("\n")
		}
		markdownRow(&b, section.Columns)
		markdownRow(&b, strings.Split(strings.Repeat("---,", len(section.Columns)-1)+"---", ","))
		for _, row := range section.Rows {
			markdownRow(&b, row)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownRow(b *strings.Builder, cells []string) {
	b.WriteString("|")
	for _, cell := range cells {
		b.WriteString(" " + markdownText(cell) + " |")
	}
	b.WriteString("\n")
}

// markdownText is text that Markdown leaves as it is: no HTML, no emphasis, no
// link, no mention of a user, no end of a cell.
func markdownText(text string) string {
	return markdownEscapes.Replace(words.Line(text))
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "#", `\#`, "@", "@\u200b", "~", `\~`,
)
