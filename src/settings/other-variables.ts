/** Variables with the prefix of settings that are none: they cannot stand in a settings file. */

/** What each of them is, for the reference. */
export const otherVariables: Readonly<Record<string, string>> = {
  VERBATIM_CONFIG: 'the settings file; `none`: no file is read',
  VERBATIM_KEY: "a customer's key, in the examples of the API; the program itself does not read it",
  VERBATIM_CACHE: 'the folder into which the single file unpacks its parts',
  VERBATIM_PROGRAM: 'set by the single file: what was typed to run it',
  VERBATIM_FILE: 'set by the single file: its full path',
  VERBATIM_TEST_LIMITS: 'limits that a test changes, as JSON',
  VERBATIM_TEST_SEED: 'the seed of the random numbers of tests',
  VERBATIM_TEST_CASES:
    'how many times as many cases the fuzz tests try, and as many kills the test of kills',
};
