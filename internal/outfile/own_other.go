//go:build !unix

package outfile

// isOwn returns nil: the user's folders are in the user's profile, which only they may change.
func isOwn(string) error { return nil }
