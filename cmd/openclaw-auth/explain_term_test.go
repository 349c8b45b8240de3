package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
)

// printed are the types whose values the program prints, by package.
var printed = map[string][]string{
	"auth":         {"Code", "ProfileState", "PlaceReason", "HintCode", "OrderSource", "PinReason", "ResetKind", "Ignored", "RejectReason"},
	"auth/failure": {"Reason", "Kind", "Mark", "Lane", "Rotation", "Next"},
	"chain":        {"UseReason", "Role", "Action", "Why", "NoteCode", "Hidden", "Source", "FallbackReason", "DecisionKind", "StepOutcome"},
	"state":        {"PendingKind", "Effect", "SidecarCode"},
}

// namedTexts collects the types of texts with a name that a document holds, by
// package and name.
func namedTexts(t reflect.Type, found map[string]map[string]bool, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		namedTexts(t.Elem(), found, seen)
	case reflect.Map:
		namedTexts(t.Key(), found, seen)
		namedTexts(t.Elem(), found, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			namedTexts(t.Field(i).Type, found, seen)
		}
	case reflect.String:
		if t == reflect.TypeFor[auth.ProviderID]() || t == reflect.TypeFor[auth.ProfileID]() {
			return // names out of a home, not codes
		}
		if directory, ours := strings.CutPrefix(t.PkgPath(), "openclaw-auth/"); ours {
			if found[directory] == nil {
				found[directory] = map[string]bool{}
			}
			found[directory][t.Name()] = true
		}
	}
}

// TestEveryCodeOfADocumentHasAMeaning finds the codes by the types of what --json
// writes, so that no list has to be kept. Rules have their values explained by
// their own texts.
func TestEveryCodeOfADocumentHasAMeaning(t *testing.T) {
	found := map[string]map[string]bool{}
	for name, document := range jsonDocuments() {
		if name != "rules-show/v1" {
			namedTexts(reflect.TypeOf(document), found, map[reflect.Type]bool{})
		}
	}
	known := map[string]bool{}
	for _, term := range allTerms() {
		known[term.name] = true
	}
	checked := 0
	for directory, names := range found {
		for _, code := range constants(t, filepath.Join("..", "..", filepath.FromSlash(directory)), slices.Collect(maps.Keys(names))) {
			if checked++; code != "" && !known[code] {
				t.Errorf("explain does not know %s of package %s (%v)", code, directory, slices.Sorted(maps.Keys(names)))
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d codes were found in %v", checked, found)
	}
}

func TestReleaseRanges(t *testing.T) {
	all := make([]*auth.Rules, 6)
	for i := range all {
		all[i] = &auth.Rules{Line: string(rune('a' + i))}
	}
	for known, want := range map[string]string{
		"abcdef": "", "cdef": "c and later", "ab": "up to b", "bcd": "b to d", "c": "c", "abef": "up to b; e and later", "": "none of the known",
	} {
		if got := releaseRanges(all, func(r *auth.Rules) bool { return strings.Contains(known, r.Line) }); got != want {
			t.Errorf("%q: %q, want %q", known, got, want)
		}
	}
}

// TestReasonsAreKnownFrom checks the ranges of reasons against verdicts: a text
// that has the reason on a release has none of an older one.
func TestReasonsAreKnownFrom(t *testing.T) {
	for _, reason := range auth.Reasons() {
		for _, rules := range auth.Lines() {
			for _, text := range []string{"HTTP 529 overloaded", "HTTP 500 internal server error", "self-signed certificate in certificate chain", "invalid_api_key: revoked", "prompt is too long", "HTTP 402", "no body", ""} {
				verdict := failure.Classify(failure.Signal{Message: text}, rules.Failover())
				if verdict.Reason == reason && !hasReason(rules, reason) {
					t.Errorf("%s: %q is %s, which the release is said not to know", rules.Line, text, reason)
				}
			}
		}
	}
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
	for _, term := range slices.Concat(terms, pastTerms) {
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
