import RealmStorage

/// What a file looks like from outside: canonical JSON, export formats, annotated dumps.
package enum Inspection {}
