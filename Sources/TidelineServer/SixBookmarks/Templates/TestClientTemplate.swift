// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The Mustache template of the test client.
///
/// The quick links are buttons of its form, behind the one that sends: what is typed goes with them, and Enter sends.
enum TestClientTemplate {
    static let text = #"""
        <h1>Test client</h1>
        <p>Sends one GET to this server, with the two fields that the service of 2010 wanted, and shows what comes back. It calls no other server.</p>
        <div class="exact">
        {{> form}}
        </div>
        <p class="quiet" id="quick-title">Quick links put a URL into the form, and send nothing yet.</p>
        <div class="quick" role="group" aria-labelledby="quick-title">
        {{#links}}<button class="plain" type="submit" form="form" name="fill" value="{{url}}">{{text}}</button>{{/links}}
        </div>
        {{#hasAnswer}}
        <section class="answer" aria-labelledby="answer-title">
        <h2 id="answer-title" tabindex="-1" autofocus>Answer <span class="quiet">{{status}} · {{size}} · {{milliseconds}} ms</span></h2>
        {{#told}}<p role="status">{{told}}</p>{{/told}}
        <p class="quiet">To load this page again is to send the request again.</p>
        <h3 id="answer-fields">Header</h3>
        <pre tabindex="0" role="region" aria-labelledby="answer-fields">{{#answerFields}}{{line}}
        {{/answerFields}}</pre>
        <h3 id="answer-body">Body</h3>
        <pre tabindex="0" role="region" aria-labelledby="answer-body">{{body}}</pre>
        {{#cut}}<p class="quiet">{{cut}}</p>{{/cut}}
        </section>
        {{/hasAnswer}}
        """#
}
