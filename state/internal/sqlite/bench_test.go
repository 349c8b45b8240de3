package sqlite

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkOpenAndReadAuth(b *testing.B) {
	for _, name := range []string{agent71, agent96} {
		b.Run(name, func(b *testing.B) {
			path := sample(b, name)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := readBoth(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// tenThousand is a database of 10,000 sessions of 1 KB.
func tenThousand(t testing.TB) string {
	t.Helper()
	var script strings.Builder
	script.WriteString(authTables + sessionTable + "BEGIN;")
	for i := range 10000 {
		fmt.Fprintf(&script, `INSERT INTO session_nodes VALUES ('agent:main:telegram:direct:%d', 'id-%d', '{"sessionId":"id-%d","updatedAt":%d,"filler":"%s"}', 0, %d);`,
			i, i, i, i, strings.Repeat("x", 1000), i)
	}
	return create(t, script.String()+"COMMIT;")
}

func BenchmarkOpenAndFindSession(b *testing.B) {
	path := tenThousand(b)
	for b.Loop() {
		database, err := Open(path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, ok, err := database.Session("agent:main:telegram:direct:7777"); !ok || err != nil {
			b.Fatal(ok, err)
		}
		database.Close()
	}
}

func BenchmarkFindSession(b *testing.B) {
	database := open(b, tenThousand(b), Options{})
	for b.Loop() {
		if _, ok, err := database.Session("agent:main:telegram:direct:7777"); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkAllSessions(b *testing.B) {
	database := open(b, tenThousand(b), Options{})
	for b.Loop() {
		for _, err := range database.Sessions {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkReadWAL reads the -wal of a gateway shortly before it is
// checkpointed: 1,000 pages.
func BenchmarkReadWAL(b *testing.B) {
	path := create(b, twoRows)
	gateway := writer(b, path)
	execute(b, gateway, "PRAGMA wal_autocheckpoint=0")
	for n := range 100 {
		execute(b, gateway, fmt.Sprintf("UPDATE auth_profile_store SET store_json = '%s'", strings.Repeat(fmt.Sprint(n%10), 36000)))
	}
	for b.Loop() {
		if _, err := readBoth(path); err != nil {
			b.Fatal(err)
		}
	}
}
