package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func authOrderCommand(w world) *cli.Command {
	order := leaf(w, cli.Command{
		Name:      "order",
		Usage:     "the rotation order of a provider's profiles, and why",
		ArgsUsage: "[PROVIDER…]",
		Description: `Without PROVIDER: every provider that has profiles or an order, or that a
configured model uses. Unavailable profiles come last; excluded ones are shown
below, with the reason.

Examples:
  openclaw-auth auth order anthropic
  openclaw-auth auth order anthropic --plain | head -1
  openclaw-auth auth order openai --model gpt-5.4 --json

Exit codes: 0 every asked provider has a usable profile, 1 one has none,
2 usage or unreadable input.`,
		Flags: []cli.Flag{
			toggle("plain", "only the ids, one per line (an id with unusual characters as a JSON string, which auth order set accepts); with several providers each after its provider and a tab"),
			text("model", "`MODEL` to run, without its provider: windows of other models don't count where the release tells them apart"),
			text("prefer", "`PROFILE` to put first, as a pinned session does"),
			toggle("origin", "when each open window began and by which line of the log, if that still has it"),
		},
	}, authOrder)
	order.Subcommands = []*cli.Command{authOrderSetCommand(w), authOrderClearCommand(w)}
	return order
}

// orderDocument is the answer of auth order.
type orderDocument struct {
	header
	Providers []providerJSON `json:"providers"`
	Sidecars  []sidecarJSON  `json:"sidecars"`
	Pending   []pendingJSON  `json:"pending"`
	Windows   []windowOrigin `json:"windowOrigins,omitempty"` // with --origin
}

type providerJSON struct {
	Provider     auth.ProviderID  `json:"provider"`
	Source       auth.OrderSource `json:"source"`
	SourceOrigin *state.Origin    `json:"sourceOrigin"`
	Repaired     bool             `json:"repaired"`
	Order        []auth.ProfileID `json:"order"`
	Profiles     []profileJSON    `json:"profiles"`
	Notes        []note           `json:"notes"`
}

// explained is the order of one provider with all that is to be said about it.
type explained struct {
	asked      string
	ordering   auth.Ordering
	placements []auth.Placement
	notes      []note
}

func authOrder(s *session) error {
	l, err := s.load()
	if err != nil {
		return err
	}
	asked := s.flags.Args().Slice()
	if len(asked) == 0 {
		asked = s.providers(l)
	}
	if err := s.checkOrderFlags(l); err != nil {
		return err
	}
	answers := make([]explained, 0, len(asked))
	for _, provider := range asked {
		if err := s.checkProvider(l, provider); err != nil {
			return err
		}
		answers = append(answers, s.explain(l, provider))
	}
	switch {
	case s.json:
		err = s.orderJSON(l, answers)
	case s.flags.Bool("plain"):
		for _, answer := range answers {
			for _, id := range answer.ordering.Order {
				fmt.Fprintln(s.stdout, plainID(answers, answer, id))
			}
		}
	default:
		s.orderText(l, answers)
	}
	if err != nil || s.flags.NArg() == 0 {
		return err
	}
	for _, answer := range answers {
		if !slices.ContainsFunc(answer.placements, isUsable) || s.blocked != nil {
			return errNo
		}
	}
	return nil
}

// checkOrderFlags refuses a profile that is not there, and a model with its
// provider, which no window has.
func (s *session) checkOrderFlags(l *loaded) error {
	if id := s.flags.String("prefer"); id != "" {
		if err := s.checkProfile(l, id); err != nil {
			return err
		}
	}
	model := s.flags.String("model")
	if provider, rest, found := strings.Cut(model, "/"); found && s.checkProvider(l, provider) == nil {
		return usage("--model %s: windows name the model without its provider, so --model %s", model, rest)
	}
	s.warnOfModel(l, model)
	return nil
}

// plainID is an id alone, or behind its provider where several are listed.
func plainID(answers []explained, answer explained, id auth.ProfileID) string {
	if len(answers) > 1 {
		return words.Quote(string(answer.ordering.Provider)) + "\t" + words.Quote(string(shownID(id)))
	}
	return words.Quote(string(shownID(id)))
}

// providers lists the providers of the agent's profiles and of the configured models.
func (s *session) providers(l *loaded) []string {
	var names []string
	for _, provider := range l.engine.Providers() {
		names = append(names, string(provider))
	}
	for _, provider := range configuredModelProviders(s.config.Document(), l.Agent.Entry) {
		if id := string(l.engine.Rules.Providers.AuthKey(provider)); id != "" && !slices.Contains(names, id) {
			names = append(names, id)
		}
	}
	return names
}

func (s *session) explain(l *loaded, provider string) explained {
	query := auth.OrderQuery{
		Provider: provider, Now: s.now, Model: s.flags.String("model"), Prefer: auth.ProfileID(s.flags.String("prefer")),
	}
	answer := explained{asked: provider, ordering: l.engine.Order(query)}
	answer.placements = l.engine.Explain(query, answer.ordering)
	hints := l.engine.Hints(query, answer.ordering, answer.placements)
	answer.notes = notesOf(hints, string(answer.ordering.Provider), l.engine, s.clock)
	if n := s.rotationNote(l, answer.ordering); n != nil {
		answer.notes = append(answer.notes, *n)
	}
	return answer
}

// rotationNote says that rate limits reach the next model before they reach
// the end of the order.
func (s *session) rotationNote(l *loaded, ordering auth.Ordering) *note {
	if len(ordering.Order) < 2 {
		return nil
	}
	models := &chain.Models{Rules: s.home.Rules, Config: s.config.Auth(), Agent: l.Agent.ID}
	limit, capped := models.RotationLimit(failure.RateLimit)
	tried := limit + 1
	if !capped || len(ordering.Order) <= tried || len(models.ConfiguredFallbacks()) == 0 {
		return nil
	}
	about := rotationCapText(map[string]string{
		"provider": string(ordering.Provider), "profiles": fmt.Sprint(len(ordering.Order)), "tried": fmt.Sprint(tried), "key": rotationKey(s.home.Rules),
	}, 1)
	return &note{Code: "rotation_cap", Text: about, Profiles: []auth.ProfileID{shownID(ordering.Order[tried])}}
}

// rotationKey is the key that raises the limit, "" where it is fixed.
func rotationKey(rules *auth.Rules) string {
	if !rules.Failures.Configurable {
		return ""
	}
	return "auth.cooldowns.rateLimitedProfileRotations"
}

func (s *session) orderJSON(l *loaded, answers []explained) error {
	doc := orderDocument{
		header: s.header("auth-order", l.Agent), Providers: []providerJSON{},
		Sidecars: sidecarJSONs(l.Sidecars()), Pending: pendingJSONs(l.Pending), Windows: s.windowOrigins(l),
	}
	for _, answer := range answers {
		provider := providerJSON{
			Provider: answer.ordering.Provider, Source: answer.ordering.Source, SourceOrigin: s.withLine(s.sourceOrigin(l, answer.ordering)),
			Repaired: answer.ordering.Repaired, Order: []auth.ProfileID{}, Profiles: []profileJSON{}, Notes: answer.notes,
		}
		for _, id := range answer.ordering.Order {
			provider.Order = append(provider.Order, shownID(id))
		}
		for _, placement := range answer.placements {
			provider.Profiles = append(provider.Profiles, s.profileJSON(l, placement))
		}
		doc.Providers = append(doc.Providers, provider)
	}
	return s.writeJSON(doc)
}

// sourceOrigin is where the order in force is stored; nil without one.
func (s *session) sourceOrigin(l *loaded, ordering auth.Ordering) *state.Origin {
	var origin state.Origin
	switch ordering.Source {
	case auth.StateOrder:
		origin = l.StateOrigin("order", ordering.Key)
	case auth.ConfigOrder:
		origin = s.config.Locate(document.Pointer("auth", "order", ordering.Key))
	default:
		return nil
	}
	return &origin
}

// withLine adds the line of an origin in the configuration.
func (s *session) withLine(origin *state.Origin) *state.Origin {
	if origin != nil {
		origin.Line = s.config.Line(*origin)
	}
	return origin
}

func (s *session) orderText(l *loaded, answers []explained) {
	s.headerText(l.Agent)
	if len(answers) == 0 {
		fmt.Fprintln(s.stdout)
		s.screen.Paragraph("", fmt.Sprintf("no profile, no order and no configured model: nothing is in %s (openclaw-auth state paths shows where this looks)", l.Agent.Dir))
	}
	for _, answer := range answers {
		fmt.Fprintln(s.stdout)
		s.screen.Paragraph("", s.orderTitle(l, answer)...)
		s.placementsText("  ", answer.placements)
		var notes []string
		for _, note := range answer.notes {
			notes = append(notes, note.Text)
		}
		s.noteTexts(notes)
	}
	s.windowOriginsText(l)
	s.sidecarsText(l)
	s.pendingText(l.Pending)
	s.evidenceText()
}

// orderTitle is the answer for a provider: what is next, of how many, by which order.
func (s *session) orderTitle(l *loaded, answer explained) []any {
	usable, next := 0, ""
	for _, placement := range answer.placements {
		if isUsable(placement) {
			usable++
			next = cmp.Or(next, string(shownID(placement.ID)))
		}
	}
	source := sourceWords[answer.ordering.Source]
	if origin := s.sourceOrigin(l, answer.ordering); origin != nil {
		source += " in " + filepath.Base(origin.File)
	}
	title := []any{words.In(words.Bold, string(answer.ordering.Provider)+":"), fmt.Sprintf(" %d of %d usable", usable, len(answer.placements))}
	switch recovery := firstRecovery(answer.placements); {
	case next != "":
		title = append(title, ", next ", words.In(words.Bold|words.Green, next))
	case recovery != nil:
		title = append(title, ", next ", words.In(words.Bold, string(shownID(recovery.ID))), " "+s.clock.When(recovery.Window.Until))
	}
	return append(title, "; "+source)
}

// placementsText lists profiles in their places: the one that is next in bold,
// those that are left out faint.
func (s *session) placementsText(indent string, placements []auth.Placement) {
	var rows words.Table
	first := true
	for _, placement := range placements {
		position, style := "-", words.Faint
		if placement.Position > 0 {
			position, style = strconv.Itoa(placement.Position), 0
		}
		if isUsable(placement) && first {
			first, style = false, words.Bold
		}
		state := stateCell(placement.State)
		state.Style |= style & words.Bold
		rows.AddIn(style, position, shownID(placement.ID), state, orDash(placement.Type), placeText(placement, s.clock))
	}
	s.screen.Table(indent, &rows)
}

// firstRecovery is the profile whose window ends first, of those that a window
// keeps back; nil without one.
func firstRecovery(placements []auth.Placement) *auth.Placement {
	var first *auth.Placement
	for i, placement := range placements {
		keptBack := slices.Contains([]auth.ProfileState{auth.StateCooling, auth.StateBlocked, auth.StateDisabled}, placement.State)
		if keptBack && placement.Window != nil && (first == nil || placement.Window.Until < first.Window.Until) {
			first = &placements[i]
		}
	}
	return first
}

// configuredModelProviders lists the providers of the models that the defaults
// and the agent name, in the order of the configuration.
func configuredModelProviders(config, agent *document.Object) []string {
	defaults := config.Object("agents").Object("defaults")
	var references []string
	for _, owner := range []*document.Object{agent, defaults} {
		for _, name := range []string{"model", "imageModel"} {
			value, _ := owner.Get(name)
			references = append(references, modelReferences(value)...)
		}
	}
	references = append(references, defaults.Object("models").Keys()...)
	var providers []string
	for _, reference := range references {
		if provider, _, ok := strings.Cut(reference, "/"); ok {
			providers = append(providers, provider)
		}
	}
	return providers
}

// modelReferences lists what a model setting names: a text, or a primary and fallbacks.
func modelReferences(value document.Value) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case *document.Object:
		references := []string{v.Text("primary")}
		fallbacks, _ := v.Get("fallbacks")
		list, _ := fallbacks.([]any)
		for _, item := range list {
			if reference, ok := item.(string); ok {
				references = append(references, reference)
			}
		}
		return references
	}
	return nil
}
