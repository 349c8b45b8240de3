package main

import "testing"

func TestSourceOfTheBuild(t *testing.T) {
	for _, test := range []struct {
		from source
		want string
	}{
		{source{}, ""},
		{source{Date: "2026-11-30T22:00:00Z"}, ""},
		{source{Commit: "0123456789abcdef", Date: "2026-11-30T22:00:00Z"}, "commit 0123456789ab of 2026-11-30"},
		{source{Commit: "0123456789abcdef", Modified: true}, "commit 0123456789ab, modified"},
		{source{Commit: "0123"}, "commit 0123"},
	} {
		if got := test.from.String(); got != test.want {
			t.Errorf("%+v: %q, want %q", test.from, got, test.want)
		}
	}
}
