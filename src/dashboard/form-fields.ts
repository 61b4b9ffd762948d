/** Names that forms and their readers share. */

/** The hidden field with the token that other sites cannot know. */
export const FORM_TOKEN_FIELD = 'form_token';
