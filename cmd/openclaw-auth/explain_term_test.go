package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// printed are the types whose values the program prints, by package.
var printed = map[string][]string{
	"auth":         {"Code", "ProfileState", "PlaceReason", "HintCode", "OrderSource", "PinReason", "ResetKind", "Ignored", "RejectReason"},
	"auth/failure": {"Reason", "Kind", "Mark", "Lane", "Rotation", "Next"},
	"chain":        {"UseReason", "Role", "Action", "Why", "NoteCode", "Hidden", "Source", "FallbackReason", "DecisionKind", "StepOutcome"},
	"state":        {"PendingKind", "Effect", "SidecarCode"},
}

// TestEveryCodeHasAMeaning reads the constants of these types out of the source:
// a new code is explained, or this fails.
func TestEveryCodeHasAMeaning(t *testing.T) {
	known := map[string]bool{}
	for _, term := range allTerms() {
		known[term.name] = true
		if term.meaning == "" || term.next == "" {
			t.Errorf("%s says too little: %+v", term.name, term)
		}
	}
	checked := 0
	for directory, types := range printed {
		for _, code := range constants(t, filepath.Join("..", "..", filepath.FromSlash(directory)), types) {
			if checked++; code != "" && !known[code] {
				t.Errorf("explain does not know %s of package %s", code, directory)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d codes were found", checked)
	}
}

// constants are the values of the constants of some types.
func constants(t *testing.T, directory string, types []string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok {
				return true
			}
			kind, ok := spec.Type.(*ast.Ident)
			for _, value := range spec.Values {
				if literal, isLiteral := value.(*ast.BasicLit); ok && isLiteral && slices.Contains(types, kind.Name) {
					text, err := strconv.Unquote(literal.Value)
					if err != nil {
						t.Fatal(err)
					}
					values = append(values, text)
				}
			}
			return true
		})
	}
	return values
}

// TestNextCommandsExist parses the command line that each term names.
func TestNextCommandsExist(t *testing.T) {
	for _, term := range terms {
		if strings.HasPrefix(term.next, "explain ") {
			continue
		}
		root := newRoot(world{}, nil)
		in, err := parse(root, strings.Fields(strings.NewReplacer("PROFILE…", "x", "TEXT", "x").Replace(term.next)))
		if err == nil && in.command != nil && in.command.Action != nil {
			_, err = in.arranged(root, "openclaw-auth")
		}
		if err != nil {
			t.Errorf("%s: openclaw-auth %s: %v", term.name, term.next, err)
		}
	}
}
