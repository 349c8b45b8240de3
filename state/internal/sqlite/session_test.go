package sqlite

import (
	"fmt"
	"testing"
)

func TestSessionsOfSample(t *testing.T) {
	database := open(t, sample(t, agent96), Options{Role: AgentRole, Agent: "work"})
	session, ok, err := database.Session("agent:work:main")
	if err != nil || !ok || !session.Valid || session.UpdatedAt != 1795990369372 {
		t.Fatalf("%+v, %v, %v", session, ok, err)
	}
	byID, ok, err := database.SessionByID(session.ID)
	if err != nil || !ok || byID.Key != session.Key {
		t.Errorf("by id: %+v, %v, %v", byID, ok, err)
	}
	for _, find := range []func(string) (Session, bool, error){database.Session, database.SessionByID} {
		if _, ok, err := find("Agent:work:main"); ok || err != nil {
			t.Errorf("absent: %v, %v", ok, err)
		}
	}
}

func TestSessionValidity(t *testing.T) {
	for entry, want := range map[string]bool{
		`{"sessionId":"i","updatedAt":7}`:                         true,
		`{"updatedAt":7.0,"x":{"sessionId":"j"},"sessionId":"i"}`: true,
		`{"sessionId":"j","updatedAt":7,"sessionId":"i"}`:         true,
		`{"sessionId":"\u0069","updatedAt":7e0} `:                 true,
		`{"sessionId":"j","updatedAt":7}`:                         false,
		`{"sessionId":"i","updatedAt":8}`:                         false,
		`{"sessionId":"i","updatedAt":"7"}`:                       false,
		`{"SessionId":"i","updatedAt":7}`:                         false,
		`{"sessionId":"i"}`:                                       false,
		`{"sessionId":"i","updatedAt":7,"updatedAt":null}`:        false,
		`{"sessionId":"i","updatedAt":7,"sessionId":{"a":[1]}}`:   false,
		`{"sessionId":"i","updatedAt":7`:                          false,
		`{"sessionId":"i","updatedAt":7} {}`:                      false,
		`[]`:                                                      false,
		``:                                                        false,
	} {
		path := create(t, sessionTable+fmt.Sprintf("INSERT INTO session_nodes VALUES ('k', 'i', '%s', 1, 7)", entry))
		session, ok, err := open(t, path, Options{}).Session("k")
		if err != nil || !ok || session.Valid != want || string(session.JSON) != entry {
			t.Errorf("%s: %+v, %v, %v; want valid %v", entry, session, ok, err, want)
		}
	}
}

func TestSessionByIDTakesTheLast(t *testing.T) {
	path := create(t, sessionTable+"INSERT INTO session_nodes VALUES ('a', 'i', '{}', 1, 7), ('b', 'i', '{}', 1, 9), ('c', 'i', '{}', 1, 8)")
	if session, _, err := open(t, path, Options{}).SessionByID("i"); err != nil || session.Key != "b" {
		t.Errorf("%+v, %v", session, err)
	}
}

func TestSessionsStop(t *testing.T) {
	database := open(t, tenThousand(t), Options{})
	count := 0
	for session, err := range database.Sessions {
		if err != nil || !session.Valid || session.Key != fmt.Sprintf("agent:main:telegram:direct:%d", count) {
			t.Fatalf("%+v, %v", session, err)
		}
		if count++; count == 100 {
			break
		}
	}
	if read := database.snapshot.pagesRead; read > 100 {
		t.Errorf("%d pages read for 100 of 10,000 sessions", read)
	}
	for range database.Sessions {
		count++
	}
	if count != 10100 {
		t.Errorf("%d sessions, want 100 and 10000", count)
	}
}

func TestSessionsOfOldDatabase(t *testing.T) {
	path := sample(t, agent71)
	count := 0
	for _, err := range open(t, path, Options{}).Sessions {
		count++
		check(t, err, MissingTable, path, "has no table session_nodes")
	}
	if count != 1 {
		t.Errorf("%d errors, want 1", count)
	}
}

// One session costs one way down two trees, however many there are.
func TestCostOfOneSession(t *testing.T) {
	database := open(t, tenThousand(t), Options{})
	opened := database.snapshot.pagesRead
	for name, find := range map[string]func() (Session, bool, error){
		"key": func() (Session, bool, error) { return database.Session("agent:main:telegram:direct:7777") },
		"id":  func() (Session, bool, error) { return database.SessionByID("id-7777") },
	} {
		before := database.snapshot.pagesRead
		if session, ok, err := find(); err != nil || !ok || session.UpdatedAt != 7777 {
			t.Fatalf("%+v, %v, %v", session, ok, err)
		}
		if read := database.snapshot.pagesRead - before; read > 8 {
			t.Errorf("by %s: %d pages", name, read)
		}
	}
	if opened > 12 {
		t.Errorf("opening: %d pages", opened)
	}
	t.Logf("%d pages to open, of %d", opened, database.snapshot.pages)
}
