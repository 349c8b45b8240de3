package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Prometheus's parser reads all metrics, and --mask leaves no id.
func TestMetrics(t *testing.T) {
	text, _, code := program(t, t.TempDir(), "--demo", "metrics")
	if code != exitYes {
		t.Fatal(code, text)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, samples := range map[string]int{
		"info": 1, "scrape_timestamp_seconds": 1, "agent_readable": 2, "findings": 3, "fallback_sessions": 2, "profiles_left_out": 1,
	} {
		if got := len(families["openclaw_auth_"+name].GetMetric()); got != samples {
			t.Errorf("%s has %d samples, want %d", name, got, samples)
		}
	}
	for want, text := range map[string]string{
		`profile_usable{agent="main",provider="openai",profile="openai:default",type="api_key",state="disabled"} 0`:      text,
		`profile_window{agent="main",provider="openai",profile="openai:default",kind="disabled",reason="billing"} 1`:     text,
		`profile_recovery_seconds{agent="main",provider="openai",profile="openai:default"} 9600`:                         text,
		`profile_recovery_seconds{agent="main",provider="openai",profile="openai:old"} +Inf`:                             text,
		`profile_errors{agent="main",provider="openai",profile="openai:default",reason="billing"}`:                       text,
		`provider_usable_profiles{agent="main",provider="google"} 0`:                                                     text,
		`profile_expiry_timestamp_seconds{agent="main",provider="anthropic",profile="anthropic:team@example.com"} 1.779`: text,
	} {
		if !strings.Contains(text, "openclaw_auth_"+want) {
			t.Errorf("no %s", want)
		}
	}
	masked, _, _ := program(t, t.TempDir(), "--demo", "metrics", "--mask")
	for _, id := range []string{"example.com", "openai:", ":default", `"main"`} {
		if strings.Contains(masked, id) {
			t.Errorf("--mask shows %s", id)
		}
	}
	if strings.Count(masked, "\n") != strings.Count(text, "\n") {
		t.Error("--mask changes how many metrics there are")
	}
}

// The alert rules do what their tests say, where promtool is there to run them.
func TestAlertRules(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip(err)
	}
	if out, err := exec.Command(promtool, "test", "rules", filepath.Join(packageDir, "..", "..", "docs", "alerts_test.yml")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
