/// The version of the engine, the SDK and the tools: the only place that says it. CHANGELOG.md has the same.
package let projectVersion = "0.1.0"
