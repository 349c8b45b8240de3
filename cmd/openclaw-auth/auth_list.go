package main

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/words"
)

func authListCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:  "list",
		Usage: "every profile of the agent: type, state, where it comes from, usable or why not",
		Description: `Lists the agent's own profiles, those it inherits from main and those that
only the configuration declares, then the entries that OpenClaw refuses to load
and the legacy files that are still to be imported. Secrets are never shown.

Examples:
  openclaw-auth auth list
  openclaw-auth auth list --agent work --json

Exit codes: 0 listed, 1 there is no profile, 2 usage or unreadable input.`,
	}, authList)
}

// listDocument is the answer of auth list.
type listDocument struct {
	header
	Profiles []listedJSON   `json:"profiles"`
	Rejected []rejectedJSON `json:"rejected"`
	Sidecars []sidecarJSON  `json:"sidecars"`
	External []externalJSON `json:"external"`
	Pending  []pendingJSON  `json:"pending"`
}

type listedJSON struct {
	profileJSON
	Provider   string `json:"provider"`
	Credential string `json:"credential"`
	From       string `json:"from"`
}

func authList(s *session) error {
	l, err := s.load()
	if err != nil {
		return err
	}
	ids := l.Store.Profiles.Keys()
	for id := range s.config.Auth().Profiles().All() {
		if !l.Store.Profiles.Has(id) {
			ids = append(ids, id)
		}
	}
	doc := listDocument{header: s.header("auth-list", l.Agent), Profiles: []listedJSON{}}
	doc.Rejected, doc.Sidecars, doc.Pending = rejectedJSONs(l.Rejected()), sidecarJSONs(l.Sidecars()), pendingJSONs(l.Pending)
	doc.External = externalJSONs(s.home.Externals(l.Loaded))
	var rows words.Table
	for _, id := range ids {
		provider := l.providerOf(s, id)
		placement := l.engine.Inspect(auth.ProfileID(id), provider, "", s.now)
		credential := credentialText(l.Store.Profiles.Object(id), s.clock)
		listed := listedJSON{s.profileJSON(l, placement), provider, credential, l.from(id)}
		doc.Profiles = append(doc.Profiles, listed)
		style := words.Style(0)
		if placement.State == auth.StateExcluded {
			style = words.Faint
		}
		rows.AddIn(style, listed.ID, stateCell(placement.State), orDash(placement.Type), listed.From, describe(placement, credential, s.clock))
	}
	switch {
	case s.json:
		err = s.writeJSON(doc)
	default:
		s.headerText(l.Agent)
		fmt.Fprintln(s.stdout)
		s.noProfilesText(l, ids)
		rows.DropIf(3, "own")
		s.screen.Table("", &rows)
		s.listRejected(l)
		s.sidecarsText(l)
		s.externalsText(l)
		s.pendingText(l.Pending)
		s.evidenceText()
	}
	if err == nil && (len(ids) == 0 || s.blocked != nil) {
		return errNo
	}
	return err
}

func (l *loaded) providerOf(s *session, id string) string {
	if credential := l.Store.Profiles.Object(id); credential != nil {
		return credential.Text("provider")
	}
	return s.config.Auth().Profiles().Object(id).Text("provider")
}

// from says which store a profile comes from.
func (l *loaded) from(id string) string {
	source := l.Own
	switch {
	case !l.Store.Profiles.Has(id):
		return "config-only"
	case l.Inherited(auth.ProfileID(id)):
		source = l.Main
	}
	switch {
	case source.Imported:
		return "pending"
	case source == l.Main:
		return "main"
	}
	return "own"
}

// noProfilesText says where this looked when it found nothing.
func (s *session) noProfilesText(l *loaded, ids []string) {
	if len(ids) == 0 {
		s.screen.Paragraph("", "no profiles in "+s.short(l.Agent.Dir)+" (openclaw-auth state paths shows where this looks; openclaw models auth login adds one)")
	}
}

// describe says what a profile holds, or why it is of no use.
func describe(placement auth.Placement, credential string, clock words.Clock) string {
	switch placement.State {
	case auth.StateExcluded:
		return placeText(auth.Placement{Place: auth.PlaceExcluded, Code: placement.Code, Expires: placement.Expires}, clock)
	case auth.StateReady:
		return withoutMask(credential)
	case auth.StateBypassed:
		return withoutMask(credential + ", markers ignored")
	}
	return windowText(*placement.Window, clock)
}

// withoutMask leaves out the mask of a secret, which carries no information.
func withoutMask(credential string) string {
	return strings.TrimPrefix(strings.TrimPrefix(credential, "****"), ", ")
}

// credentialText says what a profile authenticates with, and nothing of it.
func credentialText(credential *document.Object, clock words.Clock) string {
	var parts []string
	for _, name := range []string{"key", "token"} {
		switch secret, _ := credential.Get(name); {
		case secret != nil:
			parts = append(parts, document.Mask) // also what is no text: a key in a list is one
		case credential.Has(name + "Ref"):
			parts = append(parts, refText(credential, name+"Ref"))
		}
	}
	if credential.Text("type") == auth.TypeOAuth {
		parts = append(parts, oauthText(credential))
	}
	if expires, ok := credential.Number("expires"); ok && expires > 1 {
		word := "expires "
		if expires <= float64(clock.Now) {
			word = "expired "
		}
		text := word + clock.Distance(expires)
		if credential.Text("type") == auth.TypeOAuth {
			text += refreshText(credential)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func oauthText(credential *document.Object) string {
	switch access, _ := credential.Get("access"); {
	case access != nil:
		return document.Mask
	case credential.Has("oauthRef"):
		return "tokens in a sidecar file"
	}
	return "no access token"
}

func refreshText(credential *document.Object) string {
	if strings.TrimSpace(credential.Text("refresh")) != "" || credential.Has("oauthRef") {
		return " (refreshable)"
	}
	return " (no refresh token)"
}

// refText names what a reference refers to. The reference is no secret, but
// some people put the secret itself there: only what looks like a name is shown.
func refText(credential *document.Object, name string) string {
	ref := credential.Object(name)
	if ref == nil {
		return refName(credential.Text(name))
	}
	if id := ref.Text("id"); ref.Text("source") == "env" {
		return "env:" + refName(id)
	}
	return ref.Text("source") + ":" + auth.MaskID(ref.Text("id"))
}

// variable is a name of an environment variable, or a reference to one.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\$?[A-Z][A-Z0-9_]*|\$\{[A-Z][A-Z0-9_]*\}|(secretref-env:|__env__:)[A-Z][A-Z0-9_]*)$`)
})

func refName(text string) string {
	if !variable().MatchString(text) || strings.ContainsAny(text, "0123456789") && auth.MaskID(text) != text {
		return document.Mask
	}
	return text
}

func (s *session) listRejected(l *loaded) {
	rejected := l.Rejected()
	if len(rejected) == 0 {
		return
	}
	fmt.Fprintln(s.stdout, "\nentries that OpenClaw refuses, and drops when it next writes:")
	for _, r := range rejected {
		words.Printf(s.stdout, "  %s: %s (%s) in %s\n", auth.MaskID(r.ID), r.Reason, rejectWords[r.Reason], s.short(r.Origin.File))
	}
}
