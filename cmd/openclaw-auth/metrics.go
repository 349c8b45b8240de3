package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/urfave/cli/v2"

	"openclaw-auth/cmd/openclaw-auth/exposition"
)

func metricsCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:  "metrics",
		Usage: "the state of all agents as Prometheus metrics",
		Description: `Writes the metrics of all agents (or of --agent) in Prometheus's text format: to
standard output, to FILE for the textfile collector of node_exporter, or for
scrapes at http://ADDR/metrics, where each scrape reads the state again. They
contain no secret; --mask hides the ids of profiles and agents as well.

docs/metrics.md describes each metric and bounds how many there can be;
docs/alerts.yml has alert rules.

Examples:
  openclaw-auth metrics --output /var/lib/node_exporter/textfile/openclaw.prom
  openclaw-auth metrics --serve 127.0.0.1:9478
  openclaw-auth metrics --mask --agent main

Exit codes: 0, 2 usage or a file that can't be written. State that can't be read
is a metric, openclaw_auth_agent_readable, and no error.`,
		Flags: []cli.Flag{
			text("output", "`FILE` to replace with the metrics; it may be read by all"),
			text("serve", "answer scrapes at `HOST:PORT`"),
			toggle("mask", "hashes in place of the ids of profiles and agents"),
		},
	}, metrics)
}

func metrics(s *session) error {
	file, address := s.flags.String("output"), s.flags.String("serve")
	switch {
	case file != "" && address != "":
		return usage("--output and --serve exclude each other")
	case s.json:
		return usage("metrics are in Prometheus's text format; there is no --json")
	case address != "":
		return s.serveMetrics(address)
	case file == "":
		return s.writeMetrics(s.stdout)
	}
	var text bytes.Buffer
	if err := s.writeMetrics(&text); err != nil {
		return err
	}
	return replacePublic(file, text.Bytes())
}

// writeMetrics reads the home and writes its metrics.
func (s *session) writeMetrics(w io.Writer) error {
	if err := s.open(); err != nil {
		return err
	}
	if _, err := s.agent(); s.flags.String("agent") != "" && err != nil {
		return err
	}
	return exposition.Write(w, newCollection(s).families())
}

// serveMetrics answers scrapes until it is interrupted.
func (s *session) serveMetrics(address string) error {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return usage("--serve: %q is not a HOST:PORT, such as 127.0.0.1:9478", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Fprintf(s.stderr, "openclaw-auth: metrics are at http://%s/metrics\n", listener.Addr())
	started, begin := s.world.now(), s.now
	return exposition.Serve(ctx, listener, func(w io.Writer) error {
		s.now = begin + s.world.now().Sub(started).Milliseconds()
		err := s.writeMetrics(w)
		if err != nil {
			fmt.Fprintf(s.stderr, "openclaw-auth: %s\n", oneLine(err.Error()))
		}
		return err
	})
}

// replacePublic replaces a file as a whole, for all to read: it holds no
// secret, and the collector is another user.
func replacePublic(path string, content []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // where it has been renamed there is nothing
	_, err = temporary.Write(content)
	if err == nil {
		err = temporary.Chmod(0o644)
	}
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
