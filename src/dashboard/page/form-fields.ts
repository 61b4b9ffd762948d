/** Names that forms and their readers share. */

/** The hidden field with the token that other sites cannot know. */
export const FORM_TOKEN_FIELD = 'form_token';

/** The hidden field with the name of one copy of a form: sent twice, it counts once. */
export const FORM_COPY_FIELD = 'form_copy';
