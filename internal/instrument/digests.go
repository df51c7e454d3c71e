package instrument

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// digests are hashes of files and folders. If the stamp of a file is unchanged, the digest of an earlier start is
// valid, and the contents are not read. A stamp contains only data that no program can set back (see stamper). It
// counts only if it was old enough when the contents were read.
type digests struct {
	file    string // file of the digests; "" is none
	begun   time.Time
	stamper stamper
	old     map[string]digest // of the last start, by path

	mu      sync.Mutex
	now     map[string]digest
	new     bool     // now has entries that old lacks
	changed []string // files and folders that are newer than begun
}

// digest is a hash of contents and the stamp at that time.
type digest struct{ Stamp, Sum string }

// settles is the longest time after a change in which a second change leaves the file's time unchanged. Coarse file
// systems have steps of two seconds.
const settles = 2 * time.Second

// readDigests returns the digests that an earlier start kept beside the file stored. "" means no file.
func readDigests(stored string) *digests {
	d := &digests{begun: time.Now(), now: map[string]digest{}}
	if stored == "" {
		return d
	}
	d.file = stored + ".digests"
	if text, err := os.ReadFile(d.file); err == nil {
		_ = json.Unmarshal(text, &d.old)
	}
	return d
}

// keep writes the digests for the next start. It ignores errors: the next start then reads all contents.
func (d *digests) keep() {
	if !d.new || d.file == "" || os.MkdirAll(filepath.Dir(d.file), 0o755) != nil {
		return
	}
	if text, err := json.Marshal(d.now); err == nil {
		_ = writeChanged(d.file, text)
	}
}

// of returns the digest of a path. It calls sum unless an earlier digest has the same stamp. A stamp of "" is never the
// same.
func (d *digests) of(path, stamp string, sum func(string) string) string {
	known, ok := d.old[path]
	if stamp == "" || !ok || known.Stamp != stamp {
		known = digest{stamp, sum(path)}
	}
	if stamp != "" {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.now[path] = known
		d.new = d.new || d.old[path] != known
	}
	return known.Sum
}

// ofFile is fileDigest with the cache.
func (d *digests) ofFile(path string) string { return d.of(path, d.stamp(path), fileDigest) }

// ofFolder is folderDigest with the cache.
func (d *digests) ofFolder(dir string) string { return d.of(dir, d.folderStamp(dir), folderDigest) }

// stamp returns the stamp of a file. It returns "" without one, or if the file may change again without a new stamp.
func (d *digests) stamp(path string) string {
	stamp, changed := d.stamper.stamp(path)
	d.compare(path, changed)
	if d.begun.Sub(changed) < settles {
		return ""
	}
	return stamp
}

// tick is longer than the lag of files' times.
const tick = 20 * time.Millisecond

// compare notes whether a path may have changed a tick after begun. A time in whole seconds may lag by two seconds.
func (d *digests) compare(path string, changed time.Time) {
	if changed.Nanosecond() == 0 {
		changed = changed.Add(settles)
	}
	if changed.After(d.begun) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.changed = append(d.changed, path)
	}
}

// folderStamp returns the stamps of all Go files in a folder, and the names of all files.
func (d *digests) folderStamp(dir string) string {
	_, changed := d.stamper.stamp(dir)
	d.compare(dir, changed)
	known := true
	all := folderOf(dir, func(path string) string {
		stamp := d.stamp(path)
		known = known && stamp != ""
		return stamp
	})
	if !known {
		return ""
	}
	return all
}

// fileDigest is a hash of a file, or "" if it cannot be read.
func fileDigest(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// folderDigest is a hash of the contents of all Go files in a folder, not below it, and of the names of all files.
func folderDigest(dir string) string { return folderOf(dir, fileDigest) }

// folderOf returns a hash of the names of all files in a folder, and of the results of of for its Go files; "" if the
// folder cannot be read.
func folderOf(dir string, of func(path string) string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	all := sha256.New()
	for _, e := range entries {
		known := ""
		if filepath.Ext(e.Name()) == ".go" {
			known = of(filepath.Join(dir, e.Name()))
		}
		fmt.Fprintf(all, "%q %s\n", e.Name(), known)
	}
	return fmt.Sprintf("%x", all.Sum(nil))
}
