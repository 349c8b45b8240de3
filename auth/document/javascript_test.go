package document

import "testing"

// The wanted values are Node's.
func TestLower(t *testing.T) {
	for text, want := range map[string]string{
		"OpenAI":     "openai",
		"İstanbul":   "i\u0307stanbul",
		"ΟΔΟΣ":       "οδος",
		"ΟΔΟΣ ΟΔΟΣ":  "οδος οδος",
		"ΣΟΔΟΣΑ":     "σοδοσα",
		"Σ":          "σ",
		"ΑΣ.Β":       "ασ.β",
		"ΑΣ'":        "ας'",
		"A'Σ-":       "a'ς-",
		"ΑΣ\u0301":   "ας\u0301",
		"ẞ K":        "ß k",
		"\u1e9e/ÀÉ1": "ß/àé1",
	} {
		if got := Lower(text); got != want {
			t.Errorf("Lower(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTrim(t *testing.T) {
	for text, want := range map[string]string{
		" \t\n\v\f\r\u00a0\u2028\ufeffa b\u3000": "a b",
		"\u0085a\u0085":                          "\u0085a\u0085",
		"":                                       "",
		" ":                                      "",
		"é ":                                     "é",
	} {
		if got := Trim(text); got != want {
			t.Errorf("Trim(%q) = %q, want %q", text, got, want)
		}
		if IsBlank(text) != (want == "") {
			t.Errorf("IsBlank(%q)", text)
		}
	}
}
