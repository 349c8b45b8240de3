package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"openclaw-auth/doctor"
	"openclaw-auth/doctor/words"
)

// lintDocument is the answer of doctor --json, in the form of OpenClaw's own
// doctor --lint --json (2026.9.6; 2026.7.1 has no schemaVersion), with its schema
// behind that.
type lintDocument struct {
	SchemaVersion int           `json:"schemaVersion"`
	OK            bool          `json:"ok"`
	ChecksRun     int           `json:"checksRun"`
	ChecksSkipped int           `json:"checksSkipped"`
	Findings      []findingJSON `json:"findings"`
	Schema        string        `json:"schema"`
}

// findingJSON has OpenClaw's members first, in its order, then our own.
type findingJSON struct {
	CheckID     string          `json:"checkId"`
	Severity    doctor.Severity `json:"severity"`
	Message     string          `json:"message"`
	Path        string          `json:"path,omitempty"`
	Line        int             `json:"line,omitempty"`
	Column      int             `json:"column,omitempty"`
	Target      string          `json:"target,omitempty"`
	Requirement string          `json:"requirement,omitempty"`
	FixHint     string          `json:"fixHint,omitempty"`

	Agent   string `json:"agent,omitempty"`
	Table   string `json:"table,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	Treats  string `json:"treats,omitempty"`

	Commands []string `json:"commands,omitempty"` // to paste
}

// lintJSON writes one line, as OpenClaw does, or what the flags choose of it.
func (s *session) lintJSON(d *diagnosis) error {
	doc := lintDocument{1, len(d.shown) == 0, d.Run, d.Skipped, []findingJSON{}, "openclaw-auth/doctor/v1"}
	for _, f := range d.shown {
		doc.Findings = append(doc.Findings, findingJSON{
			CheckID: f.Check, Severity: f.Severity, Message: f.Message, Path: f.Where.File, Line: f.Line, Column: f.Column,
			Target: f.Profile, Requirement: f.Code, FixHint: f.Fix,
			Agent: f.Agent, Table: f.Where.Table, Pointer: f.Where.Pointer, Treats: oneLine(f.Treats), Commands: f.Commands,
		})
	}
	if s.chooses() {
		return s.writeJSON(doc)
	}
	encoder := json.NewEncoder(s.stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(doc)
}

// githubLevel is the command that annotates a file on GitHub.
func githubLevel(severity doctor.Severity) string {
	if severity == doctor.Info {
		return "notice"
	}
	return string(severity)
}

// githubText replaces the characters that a command of GitHub's runner may not
// hold as they are.
func githubText(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// githubProperty does the same for a property of a command.
func githubProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(text))
}

// githubText writes workflow commands, which GitHub shows beside the lines.
func (s *session) githubText(d *diagnosis) {
	for _, f := range d.shown {
		var properties []string
		add := func(name string, value any) {
			properties = append(properties, name+"="+githubProperty(fmt.Sprint(value)))
		}
		if f.Where.File != "" {
			add("file", s.fromWorkDir(f.Where.File))
		}
		if f.Line > 0 {
			add("line", f.Line)
			add("col", f.Column)
		}
		add("title", f.Check)
		text := f.Message
		if f.Fix != "" {
			text += "\nfix: " + f.Fix
		}
		words.Printf(s.stdout, "::%s %s::%s\n", githubLevel(f.Severity), strings.Join(properties, ","), githubText(text))
	}
}

// fromWorkDir is a path relative to the working directory where it lies below
// that: a code host knows files by their path in the repository.
func (s *session) fromWorkDir(path string) string {
	relative, err := filepath.Rel(s.env.WorkDir, path)
	if err != nil || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return path
	}
	return filepath.ToSlash(relative)
}

// The parts of a SARIF 2.1.0 document that are needed here.
type (
	sarifDocument struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string    `json:"id"`
		Short         sarifText `json:"shortDescription"`
		Full          sarifText `json:"fullDescription"`
		Help          sarifText `json:"help"`
		Configuration struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn,omitempty"`
	}
)

// sarifLevel is SARIF's word for a severity.
func sarifLevel(severity doctor.Severity) string {
	if severity == doctor.Info {
		return "note"
	}
	return string(severity)
}

func (s *session) sarif(d *diagnosis) sarifDocument {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "openclaw-auth", Version: versionText()}}, Results: []sarifResult{}}
	index := map[string]int{}
	for i, check := range d.selected {
		index[check.ID] = i
		rule := sarifRule{ID: check.ID, Short: sarifText{check.Title}, Full: sarifText{check.Why}, Help: sarifText{check.Fix}}
		rule.Configuration.Level = sarifLevel(check.Severity)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	for _, f := range d.shown {
		result := sarifResult{RuleID: f.Check, RuleIndex: index[f.Check], Level: sarifLevel(f.Severity), Message: sarifText{f.Message + sarifHint(f)}}
		if f.Where.File != "" {
			result.Locations = []sarifLocation{s.sarifLocation(f)}
		}
		run.Results = append(run.Results, result)
	}
	return sarifDocument{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

func sarifHint(f doctor.Finding) string {
	if f.Fix == "" {
		return ""
	}
	return ". Fix: " + f.Fix
}

func (s *session) sarifLocation(f doctor.Finding) sarifLocation {
	var location sarifLocation
	uri := url.URL{Path: s.fromWorkDir(f.Where.File)}
	if filepath.IsAbs(uri.Path) {
		uri.Scheme, uri.Path = "file", "/"+strings.TrimPrefix(filepath.ToSlash(uri.Path), "/")
	}
	location.Physical.Artifact.URI = uri.String()
	if f.Line > 0 {
		location.Physical.Region = &sarifRegion{f.Line, f.Column}
	}
	return location
}
