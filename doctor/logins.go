package doctor

import (
	"fmt"

	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
)

// defaultLogin reports declared PROVIDER:default logins that OpenClaw renames
// after their account.
func defaultLogin() *Check {
	return &Check{
		ID: IDRenameDefaultLogin, Severity: Info,
		Title: "an OAuth login declared as PROVIDER:default whose stored profile carries its account's e-mail address",
		Why:   "the declaration and the order name a profile that is not there under that id",
		Fix:   "doctor --fix renames the declaration and all that refers to it",
		after: func(x *examination) {
			for _, provider := range x.line.DefaultLogins {
				x.defaultLoginOf(string(provider))
			}
		},
	}
}

func (x *examination) defaultLoginOf(provider string) {
	i := x.defaultAgent()
	if i < 0 || !x.Config.Auth().Profiles().Has(provider+":default") {
		return
	}
	id, store := provider+":default", x.Home.Examine(x.agents[i], x.Now).Store
	if target := lines.RenameOf(x.rules, x.line, store, x.Config.Auth().Profiles(), provider); target != "" {
		x.add(Finding{Agent: x.agents[i].ID, Profile: id, Code: "renamed", Where: x.configAt("auth", "profiles", id),
			Message: fmt.Sprintf("auth.profiles declares %s, but the login is %s", id, mask.ID(target)),
			Treats:  "openclaw doctor --fix renames it in the configuration; stored state it leaves", Fix: "doctor --fix renames it to " + mask.ID(target) + ", and what refers to it", Repair: migratedIf(true)})
	}
}

func (x *examination) defaultAgent() int {
	for i, agent := range x.agents {
		if agent.Default {
			return i
		}
	}
	return -1
}

// awsMarker reports entries that stand for the AWS SDK's own credentials.
func awsMarker() *Check {
	return &Check{
		ID: IDProfilesAWSSDK, Severity: Warning,
		Title: "aws-sdk entries in a store: they belong to auth.profiles of the configuration",
		Why:   "a store may not hold such an entry; OpenClaw refuses it",
		Fix:   `doctor --fix moves it on releases that know no such entry (2026.5.12+); otherwise declare it in auth.profiles with mode "aws-sdk"`,
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				for _, r := range s.Rejected {
					if !creds.IsAWSMarker(x.entry(r.Origin)) {
						continue
					}
					treats := "refused: invalid_type"
					if x.line.AWSMarkers {
						treats += "; openclaw doctor --fix moves it to the configuration"
					}
					x.add(Finding{Agent: s.agent, Profile: r.ID, Code: "aws_sdk", Where: r.Origin,
						Message: mask.ID(r.ID) + " stands for the credentials of the AWS SDK", Treats: treats, Repair: migratedIf(x.line.AWSMarkers)})
				}
			}
		},
	}
}

// toolProfile reports profiles that were copies of command line tools' logins.
func toolProfile() *Check {
	return &Check{
		ID: IDProfilesCLI, Severity: Warning,
		Title: "profiles that stand for another tool's login and that the release no longer uses",
		Why:   "the copy goes stale while the tool's own login goes on",
		Fix:   "remove the profile and its places in orders; the tool's login stays",
		agent: func(x *examination, p *examinedAgent) {
			for _, id := range x.line.RetiredLogins {
				for _, s := range p.sources {
					if s.Store.Profiles.Has(id) && !x.isToolLogin(id) {
						x.add(Finding{Agent: s.agent, Profile: id, Code: "retired", Where: s.ProfileOrigin(id),
							Message: id + " is a copy of another tool's login", Treats: "openclaw doctor --fix removes it"})
					}
				}
			}
		},
	}
}
