package main

import (
	"fmt"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
)

// effectiveRules is what auth.cooldowns of the home's configuration comes to.
type effectiveRules struct {
	Schema          string                  `json:"schema"`
	Rules           string                  `json:"rules"`
	Read            bool                    `json:"read"` // the line reads auth.cooldowns
	Lengths         auth.Lengths            `json:"lengths"`
	ByProvider      map[string]auth.Lengths `json:"byProvider"` // providers with a value of their own
	RateRotations   any                     `json:"rateLimitedProfileRotations" schema:"number"`
	OverRotations   any                     `json:"overloadedProfileRotations" schema:"number"`
	OverloadBackoff float64                 `json:"overloadedBackoffMs"`
}

// effectiveRules shows the lengths of windows and the rotations that hold here.
func (s *session) effectiveRules() error {
	if s.flags.NArg() > 0 {
		return usage("rules show --effective is about this home; --rules takes another release")
	}
	if err := s.open(); err != nil {
		return err
	}
	rules := s.home.Rules
	profiles := &auth.Profiles{Rules: rules, Config: s.config.Auth(), Store: &auth.Store{}}
	models := &chain.Models{Rules: rules, Config: s.config.Auth()}
	doc := effectiveRules{
		Schema: "openclaw-auth/rules-effective/v1", Rules: rules.Line, Read: rules.Failures.Configurable,
		Lengths: profiles.Lengths(""), ByProvider: map[string]auth.Lengths{}, OverloadBackoff: profiles.OverloadBackoff(),
	}
	if limit, ok := models.RotationLimit(failure.RateLimit); ok {
		doc.RateRotations = limit
	}
	if limit, ok := models.RotationLimit(failure.Overloaded); ok {
		doc.OverRotations = limit
	}
	for provider := range s.config.Auth().Cooldowns().Object("billingBackoffHoursByProvider").All() {
		if rules.Failures.Configurable {
			doc.ByProvider[provider] = profiles.Lengths(provider)
		}
	}
	if s.json {
		return s.writeJSON(doc)
	}
	s.effectiveText(&doc)
	return nil
}

func (s *session) effectiveText(doc *effectiveRules) {
	fmt.Fprintf(s.stdout, "windows and rotations under the rules of %s\n\n", doc.Rules)
	length := func(ms float64) string { return words.Duration(int64(ms)) }
	var rows words.Table
	rows.Add("billing", length(doc.Lengths.Billing)+", at most "+length(doc.Lengths.BillingMax), "billingBackoffHours, billingMaxHours")
	for provider, lengths := range doc.ByProvider {
		rows.Add("  "+provider, length(lengths.Billing)+", at most "+length(lengths.BillingMax), "billingBackoffHoursByProvider")
	}
	rows.Add("auth_permanent", length(doc.Lengths.Permanent)+", at most "+length(doc.Lengths.PermanentMax), "authPermanentBackoffMinutes, authPermanentMaxMinutes")
	rows.Add("failures are forgotten", "after "+length(doc.Lengths.Window), "failureWindowHours")
	rotations := func(limit any) string {
		if n, ok := limit.(int); ok {
			return words.Count(n, "further profile") + ", then the next model"
		}
		return "no limit"
	}
	rows.Add("after a rate limit", rotations(doc.RateRotations), "rateLimitedProfileRotations")
	rows.Add("after an overload", rotations(doc.OverRotations), "overloadedProfileRotations")
	rows.Add("wait after an overload", length(doc.OverloadBackoff), "overloadedBackoffMs")
	s.screen.Table("  ", &rows)
	if !doc.Read {
		s.screen.Paragraph("note: ", "OpenClaw "+doc.Rules+" reads no auth.cooldowns: these are its own values")
		return
	}
	s.screen.Paragraph("note: ", "the keys stand below auth.cooldowns of the configuration")
}
