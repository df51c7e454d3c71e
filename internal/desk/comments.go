package desk

import (
	"fmt"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// commentsEnd is the end of the name of the file with the user's comments on a capture. It follows the name of the
// capture.
const commentsEnd = ".comments.json"

// comment gives a tab the comments beside its capture, and writes the user's changes there. It does not overwrite a
// file that it cannot read.
func (d *Desk) comment(t *Tab) {
	lasts := "the comment lasts until the window closes; saving a capture saves it, too"
	if d.options.Browser {
		lasts = "the comment lasts until the page is closed"
	}
	t.panel.Change(func(o *viewer.Options) {
		o.Ask = func(words, text string, done func(string)) { d.prompt.askText(words, text, done) }
		o.Commented = func([]report.Comment) { t.panel.Note(lasts) }
	})
	if t.path == "" || d.options.Browser {
		return
	}
	list, err := readComments(t.path)
	if err != nil {
		t.panel.Note(fmt.Sprintf("the comments in %s are not read: %v", t.name+commentsEnd, err))
	}
	t.panel.Change(func(o *viewer.Options) {
		o.Comments, o.Commented = list, func(all []report.Comment) {
			if err != nil {
				t.panel.Note("the comment is not saved: " + t.name + commentsEnd + " was not read, and stays as it is")
				return
			}
			if err := writeComments(t.path, all); err != nil {
				t.panel.Note("the comment is not saved: " + err.Error())
			}
		}
	})
}
