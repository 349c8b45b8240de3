package auth_test

import (
	"fmt"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// manyProfiles makes profiles of all types and states for one provider.
func manyProfiles(n int) *auth.Profiles {
	store := &auth.Store{Profiles: document.NewObject(), UsageStats: document.NewObject()}
	for i := range n {
		id := fmt.Sprintf("p:%d", i)
		credential := document.NewObject()
		credential.Set("type", []string{auth.TypeAPIKey, auth.TypeOAuth, auth.TypeToken}[i%3])
		credential.Set("provider", "p")
		for _, name := range []string{"key", "access", "token"} {
			credential.Set(name, document.NewSecret("x"))
		}
		store.Profiles.Set(id, credential)
		usage := document.NewObject()
		usage.SetNumber("lastUsed", float64(testNow-(i*7919)%100_000))
		if i%4 == 0 {
			usage.SetNumber("cooldownUntil", float64(testNow+(i*104729)%100_000))
		}
		store.UsageStats.Set(id, usage)
	}
	return &auth.Profiles{Rules: auth.Newest(), Store: store}
}

func BenchmarkOrder(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			profiles := manyProfiles(n)
			for b.Loop() {
				if got := len(profiles.Order(auth.OrderQuery{Provider: "p", Now: testNow}).Order); got != n {
					b.Fatal(got)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/profile")
		})
	}
}
