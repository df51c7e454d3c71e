package golden

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Digest returns a hash of a file, or of all files below a folder, with their paths.
func Digest(t testing.TB, path string) [32]byte {
	t.Helper()
	all := sha256.New()
	err := filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(all, "%s %x\n", path, sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return [32]byte(all.Sum(nil))
}
