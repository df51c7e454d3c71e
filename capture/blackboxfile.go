package capture

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/hostwriter"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// The names of a black box's files: prefix, time in UTC, reason, suffix. They sort by time.
const (
	filePrefix = "blackbox-"
	fileTime   = "20060102T150405.000Z"
	fileSuffix = ".iprof"
	tempPrefix = ".blackbox-"
	mostReason = 48 // bytes of the reason in a name
	mostNames  = 100
	tempLife   = time.Hour // older temporary files are from programs that were killed
)

// write writes a file, removes the oldest ones, and logs a line.
func (b *BlackBox) write(s *shot) error {
	path, frames, err := b.save(s)
	line := fmt.Sprintf("wrote %s (%s)", path, printed.Count(frames, "frame"))
	if s.noTrace != nil {
		line += " without the execution trace: " + string(shortened(s.noTrace.Error()))
	}
	if s.notAnnotated != nil {
		line += " without annotations: " + string(shortened(s.notAnnotated.Error()))
	}
	if err != nil {
		err = fmt.Errorf("capture: black box: %w", err)
		line = "nothing written: " + err.Error()
	}
	if s.left.since > 0 {
		line += "; " + s.left.String()
	}
	b.prune(filepath.Base(path))
	line = fmt.Sprintf("iprof: %s: %s\n", shortened(s.reason), line)
	_, _ = hostwriter.Write(b.options.Log, []byte(line))
	return err
}

// shortened returns the part of a reason that the log shows, safe for a terminal.
func shortened(reason string) printed.Text { return printed.Of(reason[:min(len(reason), 200)]) }

// save writes a temporary file and gives it its name. Only the owner may read it.
func (b *BlackBox) save(s *shot) (path string, frames int, err error) {
	f, err := outfile.NewIn(b.options.Dir, tempPrefix+"*.tmp") // it makes the folder again if that was deleted
	if err != nil {
		return "", 0, err
	}
	out := bufio.NewWriterSize(f, 1<<16)
	frames, err = s.encode(out, b.options.Trace)
	if err = errors.Join(err, out.Flush()); err == nil {
		f = b.annotate(s, f)
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		name := filePrefix + b.fileTime() + "-" + slug(s.reason)
		if path, err = freeName(b.options.Dir, name); err == nil {
			err = outfile.Move(f, path)
		}
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return path, frames, err
}

// fileTime returns the time for a file's name. It is later than in the name of the file before.
func (b *BlackBox) fileTime() string {
	now := time.Now().UTC().Truncate(time.Millisecond)
	if !now.After(b.named) {
		now = b.named.Add(time.Millisecond)
	}
	b.named = now
	return now.Format(fileTime)
}

// slug returns the part of a file's name that gives the reason. It has letters, digits, dots and dashes.
func slug(reason string) string {
	var s []byte
	for _, c := range []byte(reason) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.':
			s = append(s, c)
		case len(s) > 0 && s[len(s)-1] != '-':
			s = append(s, '-')
		}
		if len(s) == mostReason {
			break
		}
	}
	return cmp.Or(strings.Trim(string(s), "-."), "unknown")
}

// freeName returns the path of a file that does not exist.
func freeName(dir, name string) (string, error) {
	for n := 1; n <= mostNames; n++ {
		path := filepath.Join(dir, name+fileSuffix)
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprint(name, "-", n, fileSuffix))
		}
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%d files are named %s already", mostNames, name)
}

// encode writes the frames as a capture of their own, with those of other sets, and returns their number.
func (s *shot) encode(out io.Writer, trace io.WriterTo) (frames int, err error) {
	w := framefile.NewWriter(out, s.info)
	r, err := framefile.NewReader(s.joined())
	if err != nil {
		return 0, err
	}
	var f gather.Frame
	var begin, end platform.Ticks
	for seq := s.segments[0].first; seq < s.to; seq++ {
		err := r.Next(&f)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && seq >= s.from {
			err = w.WriteJudged(&f, r.Judged())
			if end = f.End; frames == 0 {
				begin = f.Begin
			}
			frames++
			if p := s.session.Picture(f.Index); p != nil {
				s.pictures = append(s.pictures, report.FramePicture{Frame: f.Index, Picture: p})
			}
		}
		if err != nil {
			return frames, err
		}
	}
	_ = r.Next(&f) // the end of a capture has calls
	for _, p := range s.pictures {
		if err := w.WritePicture(p); err != nil {
			return frames, err
		}
	}
	for _, k := range s.sets {
		err = errors.Join(err, k.write(w, begin, end))
	}
	if err != nil {
		return frames, err
	}
	if trace != nil {
		s.noTrace = w.WriteTrace(trace)
	}
	return frames, w.Close()
}

// joined returns the segments as a capture.
func (s *shot) joined() io.Reader {
	head := new(framefile.Definitions).Append(framefile.AppendHead(nil, &s.info), &s.segments[0].definitions)
	all := []io.Reader{bytes.NewReader(head)}
	for _, part := range s.parts {
		all = append(all, bytes.NewReader(part))
	}
	return io.MultiReader(append(all, bytes.NewReader(s.calls.AppendAll(nil)))...)
}

// prune removes the oldest files of black boxes, down to the limits of number and bytes. It never removes the newest
// file, nor files with other names.
func (b *BlackBox) prune(newest string) {
	entries, err := os.ReadDir(b.options.Dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	bytes := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case isBlackBox(e.Name()):
			files = append(files, info)
			bytes += info.Size()
		case isStale(info):
			os.Remove(filepath.Join(b.options.Dir, e.Name()))
		}
	}
	sort.Slice(files, func(i, k int) bool { return files[i].Name() < files[k].Name() })
	count := len(files)
	for _, f := range files {
		if count <= b.options.Files && bytes <= b.options.Bytes {
			return
		}
		if f.Name() != newest && os.Remove(filepath.Join(b.options.Dir, f.Name())) == nil {
			count, bytes = count-1, bytes-f.Size()
		}
	}
}

// isBlackBox reports whether a black box gave the name.
func isBlackBox(name string) bool {
	at, found := strings.CutPrefix(name, filePrefix)
	if !found || len(at) < len(fileTime) || !strings.HasSuffix(at, fileSuffix) {
		return false
	}
	_, err := time.Parse(fileTime, at[:len(fileTime)])
	return err == nil
}

// isStale reports whether a killed program left the file.
func isStale(f fs.FileInfo) bool {
	return strings.HasPrefix(f.Name(), tempPrefix) && strings.HasSuffix(f.Name(), ".tmp") &&
		time.Since(f.ModTime()) > tempLife
}
