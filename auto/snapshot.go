package auto

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"time"
)

// A program may end without its report: by a panic on another goroutine than main's, by a fatal error such as
// concurrent writes to a map, by SIGKILL. So the report so far is written now and then. It has a file of its own,
// because that of the report may be a pipe, a device or a link. The first snapshot is early. Writing takes at most one
// part in snapshotShare of the time.
const (
	firstSnapshot = 250 * time.Millisecond
	snapshotEvery = time.Second
	snapshotShare = 100
)

// snapshots says whether the report was written, after which there are no more.
var snapshots struct {
	sync.Mutex
	over bool
}

// keepSnapshots writes the report so far to a file until the program ends.
func keepSnapshots(name string) {
	start := time.Now()
	for wait := firstSnapshot; ; {
		time.Sleep(wait)
		begin := time.Now()
		if !writeSnapshot(name, begin.Sub(start)) {
			return
		}
		wait = max(snapshotEvery, snapshotShare*time.Since(begin))
	}
}

// writeSnapshot writes the report so far, unless the whole one was written. Readers see all of a snapshot or none.
// Errors are dropped, because a program never fails for its profiler.
func writeSnapshot(name string, after time.Duration) bool {
	snapshots.Lock()
	defer snapshots.Unlock()
	if snapshots.over {
		return false
	}
	var b bytes.Buffer
	if !settings().isJSON() {
		fmt.Fprintf(&b, "iprof: the program has written no report since this one of %.2f s after its start\n\n",
			after.Seconds())
	}
	writeReport(&b)
	if os.WriteFile(name+".new", b.Bytes(), 0o600) == nil {
		_ = os.Rename(name+".new", name)
	}
	return true
}

// endSnapshots ends the snapshots. The whole report follows.
func endSnapshots() {
	snapshots.Lock()
	defer snapshots.Unlock()
	snapshots.over = true
	if name := settings().Spare; name != "" {
		_ = os.Remove(FileName(name))
	}
}
