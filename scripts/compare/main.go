// Command compare times two commands in turn and prints the ratio of their
// medians; scripts/bench.sh uses it. It also writes the large sessions.json
// that bench.sh looks a session up in.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

func main() {
	runs := flag.Int("runs", 60, "counted runs of each command")
	label := flag.String("label", "", "what is compared")
	limit := flag.Float64("limit", 0, "ratio that should not be exceeded")
	sessions := flag.String("sessions", "", "write a sessions.json here, print a key in its middle and stop")
	megabytes := flag.Int("megabytes", 200, "size of the sessions.json")
	flag.Parse()
	if *sessions != "" {
		fmt.Println(writeSessions(*sessions, *megabytes<<20))
		return
	}
	args := flag.Args()
	split := slices.Index(args, "--")
	if split < 1 || split == len(args)-1 {
		fmt.Fprintln(os.Stderr, "usage: compare [flags] -- BASE... -- COMMAND...")
		os.Exit(2)
	}
	base, command := args[:split], args[split+1:]
	var baseTimes, times []time.Duration
	for i := range *runs + 2 {
		b, c := measure(base), measure(command)
		if i < 2 { // warm up
			continue
		}
		baseTimes, times = append(baseTimes, b), append(times, c)
	}
	ratio := float64(median(times)) / float64(median(baseTimes))
	verdict := "within"
	if ratio > *limit {
		verdict = "OVER"
	}
	fmt.Printf("%-58s %.2f (%s the budget of %.2f; medians %s and %s, %d runs)\n",
		*label, ratio, verdict, *limit, median(times).Round(10*time.Microsecond), median(baseTimes).Round(10*time.Microsecond), *runs)
}

func measure(command []string) time.Duration {
	start := time.Now()
	if err := exec.Command(command[0], command[1:]...).Run(); err != nil {
		if _, exited := err.(*exec.ExitError); !exited {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	return time.Since(start)
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

// writeSessions writes sessions of about 10 kB, most of it ballast as in real
// entries, and returns a key in the middle.
func writeSessions(path string, size int) string {
	file, err := os.Create(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	defer w.Flush()
	ballast := strings.Repeat(`{\"name\": \"skill\", \"text\": \"do what is asked\"} `, 200)
	middle := ""
	fmt.Fprint(w, "{")
	for i, written := 0, 0; written < size; i++ {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		key := fmt.Sprintf("agent:main:telegram:direct:%d", 1000+i)
		if written < size/2 {
			middle = key
		}
		n, _ := fmt.Fprintf(w, "\n  %q: {\"sessionId\": \"id-%d\", \"updatedAt\": %d, \"skillsSnapshot\": {\"prompt\": \"%s\"}}", key, i, 1_780_000_000_000+i, ballast)
		written += n
	}
	fmt.Fprint(w, "\n}\n")
	return middle
}
