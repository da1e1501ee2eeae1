// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The Mustache template of what all of the service's pages have around them.
enum FrameTemplate {
    static let text = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{title}} · Six Bookmarks service</title>
        <link rel="stylesheet" href="/assets/tideline.css">
        <link rel="icon" type="image/svg+xml" href="/assets/tideline.svg">
        </head>
        <body class="service">
        <a class="skip" href="#main">Skip to the content</a>
        <header class="bar">
        <a class="brand" href="{{base}}"><img src="/assets/tideline.svg" alt="" width="28" height="28"><span>Six Bookmarks</span></a>
        <nav class="menu" aria-label="Service">
        {{#menu}}<a href="{{href}}"{{#isHere}} aria-current="page"{{/isHere}}>{{text}}</a>{{/menu}}
        {{#account}}
        <form method="post" action="{{base}}sign-out"><input type="hidden" name="form" value="{{signature}}"><button class="plain" type="submit" title="Signed in as {{account}}">Sign out</button></form>
        {{/account}}
        </nav>
        </header>
        <main id="main" class="narrow">
        {{#notice}}<p class="notice" role="status" tabindex="-1" autofocus><span aria-hidden="true">✓</span> {{notice}}</p>{{/notice}}
        {{{content}}}
        </main>
        <footer><p>Six Bookmarks service, a sample of <a href="/">Tideline</a>. These pages ask no other host for anything.</p></footer>
        </body>
        </html>
        """#
}
