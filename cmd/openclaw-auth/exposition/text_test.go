package exposition

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// parse reads metrics with Prometheus's own parser.
func parse(t testing.TB, text string) map[string]float64 {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	values := map[string]float64{}
	for name, family := range families {
		for _, metric := range family.GetMetric() {
			key := name
			for _, label := range metric.GetLabel() {
				key += "|" + label.GetName() + "=" + label.GetValue()
			}
			values[key] = metric.GetGauge().GetValue()
		}
	}
	return values
}

func TestWrite(t *testing.T) {
	f := &Family{Name: "a_metric", Help: "What it is, with \\ and\na line."}
	f.Add(1.5)
	f.Add(-2e21, "agent", "main", "profile", "a\\b\"c\nd\xff{}=,")
	var out bytes.Buffer
	if err := Write(&out, []*Family{f, {Name: "empty", Help: "Nothing."}}); err != nil {
		t.Fatal(err)
	}
	values := parse(t, out.String())
	if len(values) != 2 || values["a_metric"] != 1.5 || values["a_metric|agent=main|profile=a\\b\"c\nd\ufffd{}=,"] != -2e21 {
		t.Errorf("%v\n%s", values, out.String())
	}
}

// Whatever a label holds, the parser reads it back.
func FuzzWrite(f *testing.F) {
	f.Add("main", "a\n\"\\", 1.0)
	f.Fuzz(func(t *testing.T, agent, profile string, value float64) {
		if value != value {
			return
		}
		family := &Family{Name: "m", Help: agent}
		family.Add(value, "agent", agent, "profile", profile)
		var out bytes.Buffer
		if err := Write(&out, []*Family{family}); err != nil {
			t.Fatal(err)
		}
		for key, got := range parse(t, out.String()) {
			if got != value {
				t.Errorf("%q: %v, want %v", key, got, value)
			}
		}
	})
}

func TestServe(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	fails := false
	go func() {
		ended <- Serve(ctx, listener, func(w io.Writer) error {
			if fails {
				return errors.New("secret words")
			}
			_, err := io.WriteString(w, "m 1\n")
			return err
		})
	}()
	url := "http://" + listener.Addr().String()
	ask := func(method, path string) (int, string) {
		request, err := http.NewRequest(method, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(body)
	}
	for _, test := range []struct {
		method, path string
		code         int
		body         string
	}{
		{"GET", "/metrics", 200, "m 1\n"}, {"GET", "/metrics?a=b", 200, "m 1\n"}, {"HEAD", "/metrics", 200, ""},
		{"GET", "/", 200, "openclaw-auth: /metrics\n"}, {"GET", "/etc/passwd", 404, "there is only /metrics\n"}, {"POST", "/metrics", 405, "only GET and HEAD\n"},
	} {
		if code, body := ask(test.method, test.path); code != test.code || body != test.body {
			t.Errorf("%s %s: %d %q", test.method, test.path, code, body)
		}
	}
	fails = true
	if code, body := ask("GET", "/metrics"); code != 500 || strings.Contains(body, "secret") {
		t.Errorf("%d %q", code, body)
	}
	for _, nonsense := range []string{"nonsense\r\n\r\n", "GET /metrics\r\n\r\n", strings.Repeat("x", 20<<10), "GET / HTTP/1.1\r\nbroken\r\n\r\n"} {
		connection, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(connection, nonsense)
		answer, _ := io.ReadAll(connection)
		if strings.Contains(string(answer), "200") {
			t.Errorf("%.20q: %q", nonsense, answer)
		}
		_ = connection.Close()
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
