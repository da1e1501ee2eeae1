// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The Mustache template of the root page.
enum RootTemplate {
    static let text = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Tideline: {{summary}}</title>
        <link rel="stylesheet" href="/assets/tideline.css">
        <link rel="icon" type="image/svg+xml" href="/assets/tideline.svg">
        </head>
        <body>
        <a class="skip" href="#domains">Skip to the domains</a>
        <header class="bar">
        <a class="brand" href="/"><img src="/assets/tideline.svg" alt="" width="28" height="28"><span>Tideline</span></a>
        {{#isHealthy}}<a class="state good" href="/healthz"><span aria-hidden="true">✓</span> Running</a>{{/isHealthy}}
        {{^isHealthy}}<a class="state bad" href="/healthz"><span aria-hidden="true">✗</span> {{summary}}</a>{{/isHealthy}}
        </header>
        <main>
        <h1>Data that works offline</h1>
        <p class="lead">This server publishes databases over <abbr title="An open standard for data over HTTP, ISO/IEC 20802">OData</abbr>. Apps clone a part of one, read and change it with no connection, and sync when there is one. Nothing is lost, nothing is applied twice, and every conflict can be seen and undone.</p>

        {{#hasApps}}
        <section aria-labelledby="apps-title">
        <h2 id="apps-title">Apps <span class="quiet">to try it with</span></h2>
        <ul class="apps">
        {{#apps}}
        <li>
        <img src="{{icon}}" alt="" width="40" height="40">
        <div>
        <h3><a href="{{href}}">{{name}}</a></h3>
        <p>{{text}}</p>
        {{#hasLinks}}<ul class="links">{{#links}}<li><a href="{{href}}">{{name}}</a></li>{{/links}}</ul>{{/hasLinks}}
        </div>
        </li>
        {{/apps}}
        </ul>
        </section>
        {{/hasApps}}

        <section id="domains" aria-labelledby="domains-title">
        <h2 id="domains-title">Domains <span class="quiet">{{summary}}</span></h2>
        {{^hasDomains}}
        <div class="empty">
        <p>Nothing is published yet. Publish a SQLite database, and it appears here:</p>
        <pre><code>tideline publish sqlite:shop.db --data ./data --domain shop --open</code></pre>
        <p class="quiet">The file stays where it is; its tables are not changed. <code>--open</code> is for a local trial.</p>
        </div>
        {{/hasDomains}}
        {{#domains}}
        <article class="domain" aria-labelledby="domain-{{name}}">
        <div class="head">
        <h3 id="domain-{{name}}">{{name}}</h3>
        {{#isUnavailable}}<span class="state bad"><span aria-hidden="true">✗</span> Unavailable</span>{{/isUnavailable}}
        {{^isUnavailable}}
        {{#isOpen}}<span class="tag" title="Everybody who reaches this server may read and change everything">Open</span>{{/isOpen}}
        {{^isOpen}}<span class="tag" title="Policies decide who sees which row">Sign-in</span>{{/isOpen}}
        <span class="quiet">{{setsText}}</span>
        {{/isUnavailable}}
        </div>
        {{#isUnavailable}}
        <p>The domain's file or database cannot be read. The server's log says why; the domain comes back by itself once that is repaired.</p>
        {{/isUnavailable}}
        {{^isUnavailable}}
        {{#isOpen}}
        <ul class="links">
        <li title="The list of its entity sets"><a href="{{root}}">Service document</a></li>
        <li title="Its sets, types and properties, as CSDL in XML"><a href="{{root}}$metadata">$metadata</a></li>
        <li title="The same, as CSDL in JSON"><a href="{{root}}$metadata?$format=json">$metadata as JSON</a></li>
        <li title="Its requests and answers, for tools that read OpenAPI"><a href="{{root}}openapi.json">OpenAPI</a></li>
        </ul>
        <ul class="sets" aria-label="Entity sets of {{name}}">
        {{#sets}}<li><a href="{{href}}">{{name}}</a>{{#isReadOnly}} <span class="quiet">read only</span>{{/isReadOnly}}</li>{{/sets}}
        </ul>
        {{/isOpen}}
        {{^isOpen}}
        <p>Each user sees what the policies allow. Sign in for a token, and send it as <code>Authorization: Bearer</code> to the <a href="{{root}}">service document</a>, <a href="{{root}}$metadata">$metadata</a> and <a href="{{root}}openapi.json">OpenAPI</a>.</p>
        {{/isOpen}}
        {{#insecure}}<p><span class="tag">Insecure</span> A door for older clients is open: {{insecure}}.</p>{{/insecure}}
        <h4>From a terminal</h4>
        <pre><code>{{clone}}{{#query}}
        {{query}}{{/query}}{{^isOpen}}

        {{signIn}}{{/isOpen}}</code></pre>
        {{/isUnavailable}}
        </article>
        {{/domains}}
        </section>

        <section aria-labelledby="next-title">
        <h2 id="next-title">Then</h2>
        <dl class="steps">
        <div><dt><code>tideline insert · update · delete</code></dt><dd>change the clone, online or not</dd></div>
        <div><dt><code>tideline sync FILE</code></dt><dd>send what changed here, fetch what changed there</dd></div>
        <div><dt><code>tideline status FILE</code></dt><dd>what waits to be sent</dd></div>
        <div><dt><code>tideline conflicts FILE</code></dt><dd>two devices changed the same: what was kept, and what was not</dd></div>
        <div><dt><code>tideline help</code></dt><dd>everything else</dd></div>
        </dl>
        </section>

        <section aria-labelledby="server-title">
        <h2 id="server-title">This server</h2>
        <dl class="facts">
        <div><dt>Version</dt><dd>{{version}}</dd></div>
        <div><dt>Running for</dt><dd title="since {{started}}">{{uptime}}</dd></div>
        <div><dt>Address</dt><dd><code>{{base}}</code></dd></div>
        <div><dt>Transport</dt><dd>{{transport}}</dd></div>
        <div><dt>Health</dt><dd><a href="/healthz">/healthz</a></dd></div>
        </dl>
        </section>
        </main>
        <footer><p>Tideline {{version}}, Apache-2.0. This page asks no other host for anything.</p></footer>
        </body>
        </html>
        """#
}
