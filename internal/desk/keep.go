package desk

import (
	"errors"
	"io"
	"os"

	"example.com/iprof/capture"
	"example.com/iprof/internal/scratch"
	"example.com/iprof/process"
)

// keeper records a session into a file without a name, from which a capture can be saved at any time.
type keeper struct {
	file     *os.File
	recorder *capture.Recorder
}

// mostKept limits the file of a keeper. Beyond it the keeper stops recording.
const mostKept = 2 << 30

// keep begins to record. It returns nil if it cannot create the file: then the tab cannot save a capture.
func keep(s *process.Session, info capture.Info) *keeper {
	file, err := scratch.New()
	if err != nil {
		return nil
	}
	recorder, err := capture.Record(s, capture.RecordOptions{To: &bounded{file, mostKept}, Info: info})
	if err != nil {
		_ = file.Close()
		return nil
	}
	return &keeper{file, recorder}
}

// Keep records the tab from now on, so that a capture of it can be saved.
func (t *Tab) Keep(info capture.Info) { t.keeper = keep(t.session, info) }

// save writes the recording so far.
func (k *keeper) save(to io.Writer) error {
	if k == nil {
		return errors.New("nothing was recorded here")
	}
	info, err := k.file.Stat()
	if err != nil {
		return err
	}
	_, err = io.Copy(to, io.NewSectionReader(k.file, 0, info.Size()))
	return err
}

func (k *keeper) close() {
	if k != nil {
		_ = k.recorder.Close()
		_ = k.file.Close()
	}
}

// bounded is a writer with a limit in bytes.
type bounded struct {
	to   io.Writer
	left int
}

var errFull = errors.New("at most 2 GB are kept")

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errFull
	}
	return b.to.Write(p)
}
