// Package store holds what a session has measured, and the settings by which it is judged. It digests frames that were
// only logged, and loads a frame, a lane, a lens or an average as values by path and by zone. It makes no rows and no
// words.
package store
