// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The Mustache template of the test client.
enum TestClientTemplate {
    static let text = #"""
        <h1>Test client</h1>
        <p>Sends one GET to this server, with the two fields that the service of 2010 wanted, and shows what comes back. It calls no other server.</p>
        <form class="quick" method="post" action="{{base}}test" aria-label="Quick links">
        <input type="hidden" name="form" value="{{signature}}">
        <input type="hidden" name="user" value="{{user}}"><input type="hidden" name="token" value="{{token}}">
        {{#links}}<button class="plain" type="submit" name="fill" value="{{url}}">{{text}}</button>{{/links}}
        </form>
        <div class="exact">
        {{> form}}
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
