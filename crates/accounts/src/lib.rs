//! Sign-in, sessions, API tokens and one's own profile.
