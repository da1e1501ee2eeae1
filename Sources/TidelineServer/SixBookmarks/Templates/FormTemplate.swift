// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The Mustache template of a form, for ``FormView``.
enum FormTemplate {
    static let text = #"""
        {{#hasErrors}}
        <div class="problems" role="alert" aria-labelledby="problems-title" tabindex="-1"{{#summaryIsFocused}} autofocus{{/summaryIsFocused}}>
        <h2 id="problems-title">{{errorTitle}}</h2>
        <ul>{{#errors}}<li>{{#hasField}}<a href="#{{field}}">{{message}}</a>{{/hasField}}{{^hasField}}{{message}}{{/hasField}}</li>{{/errors}}</ul>
        </div>
        {{/hasErrors}}
        <form class="form" id="form" method="post" action="{{action}}" novalidate>
        <input type="hidden" name="form" value="{{signature}}">
        {{#hidden}}<input type="hidden" name="{{name}}" value="{{value}}">{{/hidden}}
        {{#fields}}
        {{#section}}<h2>{{section}}</h2>{{/section}}
        <div class="field{{#hasError}} wrong{{/hasError}}{{#isBox}} box{{/isBox}}">
        {{#isBox}}
        <input type="checkbox" id="{{id}}" name="{{name}}" value="1"{{#isTicked}} checked{{/isTicked}}{{#isFocused}} autofocus{{/isFocused}}{{#describedBy}} aria-describedby="{{describedBy}}"{{/describedBy}}>
        <label for="{{id}}">{{label}}</label>
        {{/isBox}}
        {{^isBox}}
        <label for="{{id}}">{{label}}{{#whose}} <span class="unseen">{{whose}}</span>{{/whose}}{{#isRequired}} <span class="star" aria-hidden="true">*</span>{{/isRequired}}</label>
        {{/isBox}}
        {{#isList}}
        <select id="{{id}}" name="{{name}}" autocomplete="{{autocomplete}}"{{#isRequired}} required{{/isRequired}}{{#isFocused}} autofocus{{/isFocused}}{{#hasError}} aria-invalid="true"{{/hasError}}{{#describedBy}} aria-describedby="{{describedBy}}"{{/describedBy}}>
        {{#choices}}<option{{#isChosen}} selected{{/isChosen}}>{{value}}</option>{{/choices}}
        </select>
        {{/isList}}
        {{#isLine}}
        <input type="{{type}}" id="{{id}}" name="{{name}}" value="{{value}}" autocomplete="{{autocomplete}}" autocapitalize="off" spellcheck="false"{{#isRequired}} required{{/isRequired}}{{#isFocused}} autofocus{{/isFocused}}{{#hasError}} aria-invalid="true"{{/hasError}}{{#describedBy}} aria-describedby="{{describedBy}}"{{/describedBy}}>
        {{/isLine}}
        {{#error}}<p class="error" id="{{id}}-error">{{error}}</p>{{/error}}
        {{#help}}<p class="help" id="{{id}}-help">{{help}}</p>{{/help}}
        </div>
        {{/fields}}
        <div class="actions"><button type="submit">{{submit}}</button>{{#cancel}} <a href="{{cancel}}">Cancel</a>{{/cancel}}</div>
        </form>
        """#
}
