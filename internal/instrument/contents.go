package instrument

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Several starts may write for one program at the same time, with other options or after a change of its source. So
// written files are named by their contents: a start never changes a file that another start's go command reads. A
// later start removes files unused for a day.

// keeps is the time for which a written file is kept after its last use.
const keeps = 24 * time.Hour

const (
	filesFolder   = "files"    // of rewritten files
	modulesFolder = "modules"  // of changed go.mod and go.work files
	overlayStart  = "overlay-" // the names of overlays begin with it
	trimmedFile   = "trimmed"  // its time is the time of the last trim
)

// write writes a file into the folder for a program and returns its path. own is the file that it replaces.
func (p *Plan) write(own string, text []byte) (string, error) {
	sum := sha256.Sum256(append([]byte(filepath.Dir(own)+"\x00"), text...))
	path := filepath.Join(p.dir, filesFolder, fmt.Sprintf("%.8x_%s", sum, filepath.Base(own)))
	err := writeChanged(path, text)
	use(path)
	return path, err
}

// writeOverlay writes an overlay and returns its path.
func (p *Plan) writeOverlay(o overlaid) (string, error) {
	text, err := json.MarshalIndent(o, "", "\t")
	if err != nil {
		return "", err
	}
	path := filepath.Join(p.dir, fmt.Sprintf("%s%.8x.json", overlayStart, sha256.Sum256(text)))
	err = writeChanged(path, text)
	use(path)
	return path, err
}

// overlaid is an overlay. The go command reads only Replace.
type overlaid struct {
	Replace map[string]string
	Modules string // the folder that replaces go.mod's or go.work's; "" is none
}

func readOverlay(path string) (o overlaid, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	return o, err
}

// writeChanged writes a file unless it has that text already. Others see the old text or the new one.
func writeChanged(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	scratch, err := os.CreateTemp(filepath.Dir(path), scratchStart)
	if err != nil {
		return err
	}
	_, err = scratch.Write(text)
	if err = errors.Join(err, scratch.Chmod(0o644), scratch.Close()); err == nil {
		err = os.Rename(scratch.Name(), path)
	}
	if err != nil {
		os.Remove(scratch.Name())
	}
	return err
}

// scratchStart begins the names of incomplete files.
const scratchStart = "new-"

// use keeps a file or folder for another day. It sets the time of a file seldom, because that invalidates its digest.
func use(path string) {
	if age(path) > keeps/24 {
		now := time.Now()
		_ = os.Chtimes(path, now, now)
	}
}

// age returns the time since a file was written or used; 0 if it does not exist.
func age(path string) time.Duration {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return time.Since(info.ModTime())
}

// trim removes the unused written files of a program, once a day. It ignores errors: a later start tries again.
func (p *Plan) trim() {
	mark := filepath.Join(p.dir, trimmedFile)
	if _, err := os.Stat(mark); err == nil && age(mark) < keeps {
		return
	}
	_ = os.WriteFile(mark, nil, 0o644)
	used := map[string]bool{}
	for _, name := range below(p.dir, overlayStart) {
		if age(name) > keeps {
			os.Remove(name)
		} else if o, err := readOverlay(name); err == nil {
			for _, path := range o.Replace {
				used[path], used[path+insertionsEnd] = true, true
			}
			used[o.Modules] = true
		}
	}
	for _, folder := range []string{filesFolder, modulesFolder} {
		for _, name := range below(filepath.Join(p.dir, folder), "") {
			if !used[name] && age(name) > keeps {
				os.RemoveAll(name)
			}
		}
	}
}

// below returns the paths of a folder's entries whose names begin with start.
func below(dir, start string) (paths []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), start) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// makeOnce makes a folder unless it exists. make fills a scratch folder, which is then renamed.
func makeOnce(dir string, make func(scratch string) error) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(dir), scratchStart)
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	whole := filepath.Join(scratch, "whole")
	if err := make(whole); err != nil {
		return err
	}
	err = os.Rename(whole, dir)
	if _, other := os.Stat(dir); other == nil {
		return nil // another start may have been faster
	}
	return err
}
