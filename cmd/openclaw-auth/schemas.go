package main

import (
	"maps"
	"slices"

	"github.com/urfave/cli/v2"
)

// jsonDocuments are the JSON documents that commands answer with, by the name that
// stands in their member schema without "openclaw-auth/". A change that breaks
// a reader gets a new version.
func jsonDocuments() map[string]any {
	return map[string]any{
		"status/v1":               statusDocument{},
		"auth-list/v1":            listDocument{},
		"auth-order/v1":           orderDocument{},
		"auth-order-set/v1":       orderSetDocument{},
		"auth-reset/v1":           resetDocument{},
		"auth-record/v1":          recordDocument{},
		"auth-import/v1":          importDocument{},
		"auth-wait/v1":            waitDocument{},
		"chain-explain/v1":        explainDocument{},
		"chain-explain-image/v1":  imageDocument{},
		"chain-simulate/v1":       simulateDocument{},
		"chain-simulate-image/v1": imageRunDocument{},
		"chain-exec/v1":           execAttemptJSON{},
		"chain-exec-dry-run/v1":   dryRunDocument{},
		"chain-classify/v1":       classifiedJSON{},
		"chain-classify-all/v1":   classifyAllDocument{},
		"chain-classify-lines/v1": classifyLinesDocument{},
		"chain-history/v1":        historyDocument{},
		"chain-pin-set/v1":        pinDocument{},
		"chain-pin-clear/v1":      pinDocument{},
		"state-paths/v1":          pathsDocument{},
		"state-show/v1":           showDocument{},
		"state-sessions/v1":       sessionsDocument{},
		"state-locks/v1":          locksDocument{},
		"state-watch/v1":          change{},
		"doctor/v1":               lintDocument{},
		"doctor-plan/v1":          savedPlan{},
		"doctor-checks/v1":        checksDocument{},
		"doctor-fix/v1":           fixDocument{},
		"undo/v1":                 undoDocument{},
		"undo-list/v1":            undoListDocument{},
		"rules-list/v1":           rulesListDocument{},
		"rules-show/v1":           rulesShowDocument{},
		"rules-diff/v1":           rulesDiffDocument{},
		"rules-effective/v1":      effectiveRules{},
		"report/v1":               reportDocument{},
		"docs-man/v1":             docsDocument{},
		"docs-markdown/v1":        docsDocument{},
		"explain/v1":              termDocument{},
		"version/v1":              versionDocument{},
	}
}

// historyDocument is the answer of chain history, which is written run by run.
type historyDocument struct {
	Schema  string        `json:"schema"`
	Now     int64         `json:"now"`
	NowTime any           `json:"nowTime"`
	Zone    string        `json:"zone"`
	Runs    []pastRunJSON `json:"runs"`
	pastTotalsJSON
}

func schemaNames() []string { return slices.Sorted(maps.Keys(jsonDocuments())) }

func docsSchemaCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name: "schema", Usage: "the JSON Schema of a document that --json writes", ArgsUsage: "[SCHEMA]", Category: homeless,
		Description: `SCHEMA is the name in the document's member schema, such as
auth-order or auth-order/v1; without it the names are listed. Members may be
added to a document; a change that would break a reader gets a new version.

Examples:
  openclaw-auth docs schema
  openclaw-auth docs schema auth-order

Exit codes: 0 shown, 2 usage.`,
	}, docsSchema)
}

func docsSchema(s *session) error {
	name := s.flags.Args().First()
	names := schemaNames()
	if name == "" {
		for _, known := range names {
			s.screen.Line(known)
		}
		return nil
	}
	document, known := jsonDocuments()[name]
	if !known {
		name += "/v1"
		document, known = jsonDocuments()[name]
	}
	if !known {
		return usage("no schema %q%s", s.flags.Args().First(), didYouMean(s.flags.Args().First(), names))
	}
	return s.writeJSON(schemaDocument("openclaw-auth/"+name, document))
}
