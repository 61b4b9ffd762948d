/** Text files come into the bundle as strings. */
declare module '*.txt' {
  const text: string;
  export default text;
}
