package auth

// ChainRules say which models a run tries, and when it gives one up.
type ChainRules struct{}

// chainSteps is the table of release lines for ChainRules, as steps is for the others.
var chainSteps = map[string]func(r *ChainRules){}
