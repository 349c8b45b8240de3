package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// light are the dependencies that take part in what is asked: formats, schemas,
// locks, the database. The others (SDKs of chat services, browsers, models) are
// only imported; the recorder puts empty shells in their place.
var light = []string{
	"@sinclair/typebox", "ajv", "chalk", "commander", "dotenv", "ipaddr.js", "json5", "kysely", "proper-lockfile", "semver", "tar", "tslog",
	"typebox", "yaml", "zod",
}

// setup places releases below dir, each in vVERSION, and a Node for them.
func setup(dir string, versions []string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := setupNode(dir); err != nil {
		return err
	}
	for _, version := range versions {
		place := rootOf(dir, version)
		if _, err := os.Stat(filepath.Join(place, "node_modules", "openclaw", "package.json")); err == nil {
			continue
		}
		if err := setupRelease(dir, version); err != nil {
			_ = os.RemoveAll(place)
			return fmt.Errorf("set up %s: %w", version, err)
		}
		fmt.Fprintf(os.Stderr, "%s is in %s\n", version, place)
	}
	return nil
}

// rootOf is where a release is placed.
func rootOf(dir, version string) string { return filepath.Join(dir, "v"+version) }

// nodeOf is the Node that runs the releases: the one in dir.
func nodeOf(dir string) string { return filepath.Join(dir, "node", "bin", "node") }

// setupNode installs a Node that has module hooks and SQLite, unless it is there.
// npm itself must be on the PATH.
func setupNode(dir string) error {
	if _, err := os.Stat(nodeOf(dir)); err == nil {
		return nil
	}
	name := "node-" + runtime.GOOS + "-" + map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if runtime.GOARCH == "arm64" {
		name = "node-" + runtime.GOOS + "-arm64"
	}
	into := filepath.Join(dir, "node-package")
	if err := install(into, map[string]string{name: "24"}); err != nil {
		return fmt.Errorf("install Node: %w", err)
	}
	return os.Symlink(filepath.Join("node-package", "node_modules", name), filepath.Join(dir, "node"))
}

// install lets npm put packages into a folder. No script of theirs runs.
func install(folder string, packages map[string]string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	manifest, err := json.Marshal(map[string]any{"private": true, "dependencies": packages})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), manifest, 0o644); err != nil {
		return err
	}
	return command(folder, "npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=peer", "--omit=optional", "--prefer-offline")
}

func command(folder, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

func setupRelease(dir, version string) error {
	place := rootOf(dir, version)
	if err := os.MkdirAll(place, 0o755); err != nil {
		return err
	}
	// A pack that is there already is not fetched again.
	pack := filepath.Join(dir, "packs", "openclaw-"+version+".tgz")
	if _, err := os.Stat(pack); errors.Is(err, fs.ErrNotExist) {
		pack = filepath.Join(place, "openclaw-"+version+".tgz")
		if err := command(place, "npm", "pack", "--silent", "--ignore-scripts", "openclaw@"+version); err != nil {
			return err
		}
		defer os.Remove(pack)
	}
	unpacked := filepath.Join(place, "unpacked")
	if err := os.MkdirAll(unpacked, 0o755); err != nil {
		return err
	}
	if err := command(unpacked, "tar", "xzf", pack, "--strip-components=1",
		"--exclude=package/docs", "--exclude=package/assets", "--exclude=package/skills"); err != nil {
		return err
	}
	needed, err := neededBy(filepath.Join(unpacked, "package.json"))
	if err != nil {
		return err
	}
	if err := install(place, needed); err != nil {
		return err
	}
	return os.Rename(unpacked, filepath.Join(place, "node_modules", "openclaw"))
}

// neededBy lists the dependencies of a release that are installed with it:
// the light ones, and those that are parts of OpenClaw itself.
func neededBy(file string) (map[string]string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(content, &manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	needed := map[string]string{}
	for name, version := range manifest.Dependencies {
		if slices.Contains(light, name) || strings.HasPrefix(name, "@openclaw/") {
			needed[name] = version
		}
	}
	return needed, nil
}
