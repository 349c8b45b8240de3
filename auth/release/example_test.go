package release_test

import (
	"fmt"

	"openclaw-auth/auth/release"
)

// A table states what changed at a line; the lines behind it inherit.
func ExampleTable() {
	type rules struct{ Minutes int }
	table := release.NewTable(nil,
		release.Step[rules]{Line: "2026.1.30", Change: func(r *rules) { r.Minutes = 300 }},
		release.Step[rules]{Line: "2026.5.12", Change: func(r *rules) { r.Minutes = 10 }},
	)
	for _, line := range []string{"2026.1.30", "2026.4.29", "2026.7.1"} {
		fmt.Println(line, table.At(line).Minutes)
	}
	// Output:
	// 2026.1.30 300
	// 2026.4.29 300
	// 2026.7.1 10
}
