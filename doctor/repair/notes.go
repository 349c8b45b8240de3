package repair

import (
	"slices"

	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
)

// remarks are things to tell, each with the agents that it concerns.
type remarks []remark

type remark struct {
	text   string
	agents []string // none where it concerns the whole home
}

// add adds a remark; what is said of several agents is one remark.
func (r *remarks) add(agent, text string) {
	i := slices.IndexFunc(*r, func(other remark) bool { return other.text == text })
	if i < 0 {
		i = len(*r)
		*r = append(*r, remark{text: text})
	}
	if agent != "" && !slices.Contains((*r)[i].agents, agent) {
		(*r)[i].agents = append((*r)[i].agents, agent)
	}
}

func (r remarks) texts() []string {
	var texts []string
	for _, remark := range r {
		switch len(remark.agents) {
		case 0:
			texts = append(texts, remark.text)
		case 1:
			texts = append(texts, "agent "+remark.agents[0]+": "+remark.text)
		default:
			texts = append(texts, "agents "+words.List(remark.agents, mask.Few)+": "+remark.text)
		}
	}
	return texts
}
