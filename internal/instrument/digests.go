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

// digests are hashes of files and folders. Those of an earlier start hold where the stamp of a file is still the same,
// so that its contents are not read. A stamp has what nobody can set back (see stamper), and counts only if it was old
// enough when the contents were read.
type digests struct {
	file    string // where they are kept; "" is nowhere
	begun   time.Time
	stamper stamper
	old     map[string]digest // of the last start, by path

	mu      sync.Mutex
	now     map[string]digest
	new     bool     // now has what old does not have
	changed []string // files and folders that are newer than begun
}

// digest is a hash of contents, and the stamp that these had.
type digest struct{ Stamp, Sum string }

// settles is how long after a change a file can change again without another time of change. Coarse file systems have
// two seconds.
const settles = 2 * time.Second

// readDigests returns the digests that an earlier start kept beside what it stored under a name. "" is none.
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

// keep writes the digests for the next start. Errors are dropped: it then reads all contents.
func (d *digests) keep() {
	if !d.new || d.file == "" || os.MkdirAll(filepath.Dir(d.file), 0o755) != nil {
		return
	}
	if text, err := json.Marshal(d.now); err == nil {
		_ = writeChanged(d.file, text)
	}
}

// of returns the digest of a path, by sum if the stamp of an earlier one does not hold. A stamp of "" never holds.
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

// ofFile is fileDigest.
func (d *digests) ofFile(path string) string { return d.of(path, d.stamp(path), fileDigest) }

// ofFolder is folderDigest.
func (d *digests) ofFolder(dir string) string { return d.of(dir, d.folderStamp(dir), folderDigest) }

// stamp returns the stamp of a file, or "" if it has none, or may change again without another one.
func (d *digests) stamp(path string) string {
	stamp, changed := d.stamper.stamp(path)
	d.compare(path, changed)
	if d.begun.Sub(changed) < settles {
		return ""
	}
	return stamp
}

// tick is more than the times of files are behind.
const tick = 20 * time.Millisecond

// compare notes whether a path may have changed a tick after begun. A time without parts of a second may be two seconds
// behind.
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

// folderOf is a hash of the names of all files in a folder, and of what is known of its Go files; "" if the folder
// cannot be read.
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
