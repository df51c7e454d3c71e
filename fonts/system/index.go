package system

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-text/typesetting/fontscan"

	"example.com/iprof/internal/outfile"
)

// The library finds the fonts of the system by itself, and parses each file that its index does not have in its present
// form. So this package looks before it, and enters the files that are no safe fonts: as files without a font.

// indexVersion is the library's format of the index: gzip; the version; the number of files; of each file the length of
// what follows, its path, the time of its last change, and its fonts.
const indexVersion = 6

// index has the library's entries by their paths.
type index map[string]entry

type entry struct {
	changed int64 // nanoseconds
	whole   []byte
}

// enterUnsafe adds the unsafe files among the system's fonts to the index in a folder.
func enterUnsafe(folder string) error {
	dirs, err := fontscan.DefaultFontDirectories(noLog{})
	if err != nil {
		return err
	}
	name := filepath.Join(folder, fmt.Sprintf("font_index_v%d.cache", indexVersion))
	all, added := readIndex(name), false
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return filepath.SkipDir // as the library
			}
			info, err := os.Stat(path)
			if d.IsDir() || err != nil {
				return nil
			}
			changed := info.ModTime().UnixNano()
			if known, ok := all[path]; ok && known.changed == changed {
				return nil
			}
			if _, err := readable(path); err != nil {
				all[path], added = newEntry(path, changed), true
			}
			return nil
		})
	}
	if !added {
		return nil
	}
	return outfile.Keep(name, all.packed())
}

// newEntry returns the entry of a file without a font.
func newEntry(path string, changed int64) entry {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(path)))
	b = append(b, path...)
	return entry{changed, binary.BigEndian.AppendUint64(b, uint64(changed))}
}

// readIndex reads an index. It has nothing if there is none, or one of another version.
func readIndex(name string) index {
	all := index{}
	file, err := os.Open(name)
	if err != nil {
		return all
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return all
	}
	text, err := io.ReadAll(io.LimitReader(unpacked, mostFile))
	if err != nil || number16(text, 0) != indexVersion {
		return all
	}
	for at := 6; at+6 < len(text); {
		size, length := int(number32(text, at)), int(number16(text, at+4))
		at += 4
		if size < 2+length+8 || at+size > len(text) {
			return index{}
		}
		whole := text[at : at+size]
		all[string(whole[2:2+length])] = entry{int64(binary.BigEndian.Uint64(whole[2+length:])), whole}
		at += size
	}
	return all
}

// packed returns the index as the library reads it.
func (all index) packed() []byte {
	b := binary.BigEndian.AppendUint16(nil, indexVersion)
	b = binary.BigEndian.AppendUint32(b, uint32(len(all)))
	for _, e := range all {
		b = binary.BigEndian.AppendUint32(b, uint32(len(e.whole)))
		b = append(b, e.whole...)
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b) // a Buffer has no errors
	_ = w.Close()
	return out.Bytes()
}
