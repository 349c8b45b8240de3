package sqlite

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// writerVariable makes a copy of the test binary a writer of the database that
// it names: the gateway in another process.
const writerVariable = "OPENCLAW_AUTH_TEST_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerVariable); path != "" {
		if err := obey(path, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// obey runs lines of SQL and answers each. The line "storm N" starts a storm
// with the number N.
func obey(path string, commands io.Reader, answers io.Writer) error {
	connection, err := sqlite3.Open(path)
	if err != nil {
		return err
	}
	if err := connection.Exec("PRAGMA busy_timeout=30000; PRAGMA journal_mode=wal; PRAGMA synchronous=normal"); err != nil {
		return err
	}
	for lines := bufio.NewScanner(commands); lines.Scan(); {
		if number, ok := strings.CutPrefix(lines.Text(), "storm "); ok {
			first, err := strconv.Atoi(number)
			return errors.Join(err, connection.Close(), storm(path, first))
		}
		if err := connection.Exec(lines.Text()); err != nil {
			return err
		}
		fmt.Fprintln(answers, "ok")
	}
	return connection.Close()
}

// stormText is long enough for overflow pages, and says the same number
// everywhere: a torn read would mix numbers.
func stormText(n int) string { return `["` + strings.Repeat(fmt.Sprintf("%08d ", n), 2000) + `"]` }

// storm writes until it is killed: both rows in each transaction, with all that
// moves the -wal about: checkpoints of each kind, small and large transactions,
// connections that come and go.
func storm(path string, first int) error {
	for n := first; ; {
		connection, err := sqlite3.Open(path)
		if err != nil {
			return err
		}
		limit := []int{1, 20, 1000}[n/50%3]
		script := fmt.Sprintf("PRAGMA busy_timeout=30000; PRAGMA journal_mode=wal; PRAGMA synchronous=off; PRAGMA wal_autocheckpoint=%d", limit)
		if err := connection.Exec(script); err != nil {
			return err
		}
		for last := n + 50; n < last; n++ {
			if err := stormOnce(connection, n); err != nil {
				return err
			}
		}
		if err := connection.Close(); err != nil {
			return err
		}
	}
}

func stormScript(n int) string {
	text := stormText(n)
	return fmt.Sprintf(`BEGIN IMMEDIATE;
		UPDATE auth_profile_store SET store_json = '%s', updated_at = %d;
		UPDATE auth_profile_state SET state_json = '%s', updated_at = %d;
		COMMIT`, text, n, text[:20+n%7*2000], n)
}

func stormOnce(connection *sqlite3.Conn, n int) error {
	err := connection.Exec(stormScript(n))
	if n%17 == 0 && err == nil {
		// busy is an answer here: a reader is at work
		if err = connection.Exec("PRAGMA busy_timeout=1; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout=30000"); errors.Is(err, sqlite3.BUSY) {
			err = connection.Exec("PRAGMA busy_timeout=30000")
		}
	}
	return err
}

// process is a writer in another process.
type process struct {
	t       *testing.T
	command *exec.Cmd
	input   io.WriteCloser
	answers *bufio.Scanner
}

func start(t *testing.T, path string) *process {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), writerVariable+"="+path)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Kill(); command.Wait() })
	return &process{t, command, input, bufio.NewScanner(output)}
}

func (p *process) run(script string) {
	p.t.Helper()
	fmt.Fprintln(p.input, script)
	if !p.answers.Scan() || p.answers.Text() != "ok" {
		p.t.Fatalf("the writer did not run %q", script)
	}
}

const twoRows = authTables + `
	INSERT INTO auth_profile_store VALUES ('primary', '["00000000 "]', 0);
	INSERT INTO auth_profile_state VALUES ('primary', '["00000000 "]', 0);`

func TestReadsWhileWriterHoldsLock(t *testing.T) {
	path := create(t, twoRows)
	gateway := start(t, path)
	gateway.run("BEGIN IMMEDIATE")
	gateway.run("UPDATE auth_profile_store SET updated_at = 2")
	for range 20 {
		if got := storeTime(t, path, -1); got != 0 {
			t.Fatalf("updated_at = %d before the commit", got)
		}
	}
	gateway.run("COMMIT")
	if got := storeTime(t, path, -1); got != 2 {
		t.Fatalf("updated_at = %d after the commit", got)
	}
}

func storeTime(t *testing.T, path string, timeout time.Duration) int64 {
	t.Helper()
	database, err := Open(path, Options{BusyTimeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	rows, err := database.AuthRows()
	if err != nil {
		t.Fatal(err)
	}
	return rows.Store.UpdatedAt
}

// A moment stays what it was while others write and checkpoint.
func TestMomentStands(t *testing.T) {
	path := create(t, twoRows)
	gateway := start(t, path)
	gateway.run("UPDATE auth_profile_store SET updated_at = 1")
	database := open(t, path, Options{})
	gateway.run("UPDATE auth_profile_state SET updated_at = 2")
	gateway.run("PRAGMA busy_timeout=1")
	gateway.run("PRAGMA wal_checkpoint(PASSIVE)")
	rows, err := database.AuthRows()
	if err != nil || rows.Store.UpdatedAt != 1 || rows.State.UpdatedAt != 0 {
		t.Errorf("%+v, %v; want the times 1 and 0", rows, err)
	}
}

func TestNeverTorn(t *testing.T) {
	reads := 10000
	if testing.Short() {
		reads = 1000
	}
	path := create(t, twoRows)
	fmt.Fprintln(start(t, path).input, "storm 1")
	readStorm(t, path, reads)
}

// The same with SQLite's own C library as the writer, whose locks are POSIX's.
func TestNeverTornByC(t *testing.T) {
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("the sqlite3 shell is not installed")
	}
	path := create(t, twoRows)
	command := exec.Command(shell, path)
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Kill(); command.Wait() })
	go func() {
		for n := 1; ; n++ {
			if n%50 == 1 {
				fmt.Fprintf(input, ".open %s\nPRAGMA busy_timeout=30000; PRAGMA synchronous=off; PRAGMA wal_autocheckpoint=%d;\n", path, n%97)
			}
			if _, err := fmt.Fprintln(input, stormScript(n)+";"); err != nil {
				return
			}
			if n%17 == 0 {
				fmt.Fprintln(input, "PRAGMA busy_timeout=1; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout=30000;")
			}
		}
	}()
	readStorm(t, path, 1000)
}

func readStorm(t *testing.T, path string, reads int) {
	t.Helper()
	var last int64
	seen, again := 0, 0
	for range reads {
		rows, err := readBoth(path)
		if errors.Is(err, Busy) {
			again++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		n := rows.Store.UpdatedAt
		if n != rows.State.UpdatedAt || !whole(rows.Store, n) || !whole(rows.State, n) {
			t.Fatalf("torn: %d and %d", n, rows.State.UpdatedAt)
		}
		if n < last {
			t.Fatalf("went back from %d to %d", last, n)
		}
		if n > last {
			seen++
		}
		last = n
	}
	t.Logf("%d reads saw %d of %d commits; %d were asked to try again", reads, seen, last, again)
	if seen < reads/100 || again > reads/100 {
		t.Errorf("%d reads saw %d commits, %d were asked to try again", reads, seen, again)
	}
}

func readBoth(path string) (AuthRows, error) {
	database, err := Open(path, Options{})
	if err != nil {
		return AuthRows{}, err
	}
	defer database.Close()
	return database.AuthRows()
}

// whole reports that a text says its number and no other.
func whole(row Row, n int64) bool {
	return n == 0 || strings.HasPrefix(stormText(int(n)), string(row.JSON))
}

// A gateway that is killed leaves a -wal and a -shm in any condition.
func TestWriterKilled(t *testing.T) {
	path := create(t, twoRows)
	var last int64
	for round := range 20 {
		gateway := start(t, path)
		fmt.Fprintf(gateway.input, "storm %d\n", last+1)
		time.Sleep(time.Duration(30+7*round) * time.Millisecond)
		gateway.command.Process.Kill()
		gateway.command.Wait()
		rows, err := readBoth(path)
		if err != nil {
			t.Fatal(err)
		}
		n := rows.Store.UpdatedAt
		if n != rows.State.UpdatedAt || !whole(rows.Store, n) || !whole(rows.State, n) || n < last {
			t.Fatalf("torn or lost: %d and %d after %d", n, rows.State.UpdatedAt, last)
		}
		last = n
	}
	if last == 0 {
		t.Error("the writers wrote nothing")
	}
}
