package instrument

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

// stamper makes stamps of files: device, inode, size, and the times of change of contents and inode (mtime and ctime).
// No program can set ctime, so a stamp detects a new file with the name, size and mtime of an old one. The zero value
// is ready to use, by any goroutine.
type stamper struct {
	mu    sync.Mutex
	local map[uint64]bool // by device
}

// localSystems are file systems of this machine: ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS and bcachefs. Other file
// systems may show a change late, or have the times of another machine.
var localSystems = []uint32{0xEF53, 0x58465342, 0x9123683E, 0x01021994, 0x794C7630, 0xF2F52010, 0x2FC12FC1, 0xCA451A4E}

// stamp returns the stamp of the file at a path, "" without a reliable one, and the time of its last change.
func (s *stamper) stamp(path string) (stamp string, changed time.Time) {
	info, err := os.Stat(path)
	if err != nil {
		return "", changed
	}
	f, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", info.ModTime()
	}
	changed = time.Unix(0, f.Ctim.Nano())
	if !info.Mode().IsRegular() || !s.isLocal(uint64(f.Dev), path) {
		return "", changed
	}
	return fmt.Sprint(f.Dev, f.Ino, f.Size, f.Mtim.Nano(), f.Ctim.Nano()), changed
}

// isLocal reports whether a path on a device is on one of localSystems.
func (s *stamper) isLocal(device uint64, path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	local, known := s.local[device]
	if !known {
		if s.local == nil {
			s.local = map[uint64]bool{}
		}
		var system syscall.Statfs_t
		local = syscall.Statfs(path, &system) == nil && slices.Contains(localSystems, uint32(system.Type))
		s.local[device] = local
	}
	return local
}
