//go:build !js

package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"example.com/iprof/internal/outfile"
	"example.com/iprof/process/report"
)

// mostCommentBytes limits the size of a comment file: JSON may escape a byte of text with six.
const mostCommentBytes = report.MaxComments * (6*report.LongestComment + 100)

// commentFile is the file with the comments on a capture. Its contents are not trusted.
type commentFile struct {
	Comments []fileComment `json:"comments"`
}

type fileComment struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
	Text string `json:"text"`
}

// readComments reads the comments beside a capture. A missing file is no error.
func readComments(capture string) ([]report.Comment, error) {
	file, err := os.Open(capture + commentsEnd)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	text, err := io.ReadAll(io.LimitReader(file, mostCommentBytes+1))
	var all commentFile
	switch {
	case err != nil:
		return nil, err
	case len(text) > mostCommentBytes:
		return nil, errors.New("it is too large")
	case json.Unmarshal(text, &all) != nil:
		return nil, errors.New("it is not a file of comments")
	case len(all.Comments) > report.MaxComments:
		return nil, fmt.Errorf("it has more than %d comments", report.MaxComments)
	}
	list := make([]report.Comment, len(all.Comments))
	for i, c := range all.Comments {
		list[i] = report.Comment{From: min(c.From, c.To), To: max(c.From, c.To), Text: c.Text}
	}
	return list, nil
}

// writeComments writes the comments beside a capture. It replaces an existing file as a whole.
func writeComments(capture string, list []report.Comment) error {
	all := commentFile{Comments: make([]fileComment, len(list))}
	for i, c := range list {
		all.Comments[i] = fileComment{c.From, c.To, c.Text}
	}
	text, err := json.MarshalIndent(&all, "", "  ")
	if err != nil {
		return err
	}
	return outfile.Write(capture+commentsEnd, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}
