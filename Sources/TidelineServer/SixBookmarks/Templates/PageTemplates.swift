// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The Mustache templates of the service's pages; `{{> form}}` is ``FormTemplate``.
enum PageTemplates {
    static let welcome = #"""
        <h1>The service of Six Bookmarks</h1>
        <p class="lead">Six Bookmarks keeps six addresses for each user, on every device. An account of this service has users; each user has six bookmarks.</p>
        {{#account}}
        <ul class="tiles">
        <li><a href="{{base}}users">Manage users</a><p>Who may sign in, and what their six bookmarks are.</p></li>
        <li><a href="{{base}}test">Test client</a><p>Send a request to the service and read what it answers.</p></li>
        </ul>
        <p class="quiet">Signed in to the account <strong>{{account}}</strong>.</p>
        {{/account}}
        {{^account}}
        <ul class="tiles">
        <li><a href="{{base}}register">Register an account</a><p>Free, and at once. Then add your users.</p></li>
        <li><a href="{{base}}sign-in">Sign in</a><p>To manage users and their bookmarks.</p></li>
        <li><a href="{{base}}test">Test client</a><p>Send a request to the service and read what it answers.</p></li>
        </ul>
        {{/account}}
        """#

    static let register = #"""
        <h1>Register an account</h1>
        <p>All fields are needed, except the last. You are signed in at once; users are added after that.</p>
        {{> form}}
        """#

    static let signIn = #"""
        <h1>Sign in to your account</h1>
        {{#message}}<p class="quiet">{{message}}</p>{{/message}}
        {{> form}}
        <p><a href="{{base}}reset">Forgot your password?</a> · <a href="{{base}}register">Register an account</a></p>
        """#

    static let resetRequest = #"""
        <h1>Reset your password</h1>
        <p>Name the account. A link comes to its e-mail address. It works once, within an hour.</p>
        {{> form}}
        """#

    static let resetSent = #"""
        <h1>Check your mail</h1>
        <p class="lead">If there is an account of that name, a link to choose a new password is on its way to its e-mail address. It works once, within an hour.</p>
        <p>Nothing there? Look in your spam folder, then <a href="{{base}}reset">ask again</a>.</p>
        """#

    static let resetChoose = #"""
        <h1>Choose a new password</h1>
        <p>For the account <strong>{{name}}</strong>. Every browser that is signed in to it is signed out.</p>
        {{> form}}
        """#

    static let message = #"""
        <h1>{{heading}}</h1>
        <p class="lead">{{message}}</p>
        <p><a href="{{href}}">{{link}}</a></p>
        """#

    static let users = #"""
        <div class="head"><h1>Users</h1>{{#hasUsers}}<a class="button" href="{{base}}users/new">Add a new user</a>{{/hasUsers}}</div>
        {{^hasUsers}}
        <div class="empty">
        <h2>No users yet</h2>
        <p>A user signs in on a phone, in a browser or on a terminal, and has six bookmarks. Add the first one:</p>
        <p><a class="button" href="{{base}}users/new">Add a new user</a></p>
        </div>
        {{/hasUsers}}
        {{#hasUsers}}
        <div class="scroll">
        <table>
        <caption class="quiet">{{count}} of the account {{account}}</caption>
        <thead><tr><th scope="col">Name</th><th scope="col" class="wide">Person</th><th scope="col">State</th><th scope="col"><span class="unseen">Bookmarks</span></th></tr></thead>
        <tbody>
        {{#users}}
        <tr><th scope="row"><a href="{{base}}users/{{key}}">{{name}}</a><span class="beneath">{{person}}</span></th><td class="wide">{{person}} <span class="quiet">{{email}}</span></td>
        <td>{{#isActive}}<span class="state good"><span aria-hidden="true">✓</span> Active</span>{{/isActive}}{{^isActive}}<span class="state off"><span aria-hidden="true">–</span> Inactive</span>{{/isActive}}</td>
        <td><a href="{{base}}users/{{key}}/bookmarks" aria-label="Bookmarks of {{name}}">Bookmarks</a></td></tr>
        {{/users}}
        </tbody>
        </table>
        </div>
        {{/hasUsers}}
        """#

    static let user = #"""
        <p class="crumb"><a href="{{base}}users">Users</a></p>
        <h1>{{heading}}</h1>
        {{#signInName}}<p>Signs in as <code>{{signInName}}</code>.</p>{{/signInName}}
        {{> form}}
        {{#key}}<p class="after"><a href="{{base}}users/{{key}}/bookmarks">Manage this user's bookmarks</a></p>{{/key}}
        """#

    static let bookmarks = #"""
        <p class="crumb"><a href="{{base}}users">Users</a> › <a href="{{base}}users/{{key}}">{{name}}</a></p>
        <h1>Bookmarks of {{name}}</h1>
        <p>Six places. Clear both lines of one to remove it. The user's devices have the changes with their next sync.</p>
        <div class="pairs">
        {{> form}}
        </div>
        """#
}
