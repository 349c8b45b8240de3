package doctor

import "openclaw-auth/state"

// Repair is what package repair does about a finding. It repairs only what leaves no
// choice: what others may read, what refers to nothing, and what OpenClaw would
// never have written.
type Repair struct {
	Close    bool          // what others may do with the file is taken from them
	Unlock   bool          // the lock goes: the process that held it is gone
	Remove   *state.Repair // something is taken out of a stored state
	Override *Override     // sessions go back from a fallback to their model
	Migrate  bool          // the release's migration takes care of it
}

// Override is a fallback that sessions stay on.
type Override struct{ Provider, Model string }

// migratedIf is the repair of what a migration takes care of, none where cond
// does not hold.
func migratedIf(cond bool) *Repair {
	if !cond {
		return nil
	}
	return &Repair{Migrate: true}
}

func removal(repair state.Repair) *Repair { return &Repair{Remove: &repair} }
