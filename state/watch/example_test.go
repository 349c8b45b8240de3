package watch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"openclaw-auth/state/watch"
)

// A file that another process is to write.
func ExampleWatcher() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "auth-state.json")
	watcher, err := watch.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer watcher.Close()
	if err := watcher.Watch([]string{file}); err != nil {
		fmt.Println(err)
		return
	}
	go os.WriteFile(file, []byte("{}"), 0o600)
	changed, err := watcher.Wait(time.Now().Add(time.Minute), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, path := range changed {
		fmt.Println(filepath.Base(path))
	}
	// Output:
	// auth-state.json
}
