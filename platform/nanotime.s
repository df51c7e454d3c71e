// This file is empty. With it, the compiler accepts nanotime, which has no body.
