;; Scores the entries of an inverted list and keeps those above a threshold, sixteen at a time.
;;
;; A stored entry is a uint32 item, a float32 factor and 2-bit codes in `codeBytes` bytes, as
;; quantization.ts describes. `interleave` groups entries into blocks so that one vector instruction
;; does the same step for sixteen of them. It fills the last block with zeros:
;;   16 uint32 items | 16 float32 factors | first byte of codes of all 16 | second byte of all 16 ...
;; Half a byte of codes stands for two components. What the two contribute to the product with the
;; query is looked up. For each byte of codes, `tables` has 16 bytes for its lower half and 16 for
;; its upper half. The caller makes sure that two such values fit in 8 bits and all of them in 16.
;; (André, Kermarrec and Le Scouarnec, "Cache locality is not enough: high-performance nearest
;; neighbor search with product quantization fast scan", 2015, describe this lookup in registers.)
;;
;; scan-module.ts holds the compiled module, and a test compares the two.
(module
  (memory (export "memory") 1)

  (func (export "interleave")
    (param $entries i32) (param $count i32) (param $codeBytes i32) (param $blocks i32)
    (local $index i32) (local $block i32) (local $lane i32) (local $at i32) (local $to i32)
    (local $end i32) (local $blockBytes i32)
    (local.set $blockBytes (i32.add (i32.const 128) (i32.shl (local.get $codeBytes) (i32.const 4))))
    (memory.fill
      (local.get $blocks)
      (i32.const 0)
      (i32.mul
        (local.get $blockBytes)
        (i32.shr_u (i32.add (local.get $count) (i32.const 15)) (i32.const 4))))
    (local.set $at (local.get $entries))
    (block $done
      (loop $entry
        (br_if $done (i32.ge_u (local.get $index) (local.get $count)))
        (local.set $lane (i32.and (local.get $index) (i32.const 15)))
        (local.set $block
          (i32.add
            (local.get $blocks)
            (i32.mul (local.get $blockBytes) (i32.shr_u (local.get $index) (i32.const 4)))))
        (local.set $to (i32.add (local.get $block) (i32.shl (local.get $lane) (i32.const 2))))
        (i32.store (local.get $to) (i32.load (local.get $at)))
        (f32.store offset=64 (local.get $to) (f32.load offset=4 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (local.set $end (i32.add (local.get $at) (local.get $codeBytes)))
        (local.set $to
          (i32.add (i32.add (local.get $block) (i32.const 128)) (local.get $lane)))
        (loop $byte
          (i32.store8 (local.get $to) (i32.load8_u (local.get $at)))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $byte (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $index (i32.add (local.get $index) (i32.const 1)))
        (br $entry))))

  ;; The score of an entry is base + factor * (step * sum of the looked-up values + bias). All scores
  ;; go to `scores` as float32, in the order of the entries and for whole blocks. Scores at or above
  ;; the threshold also go to `kept`, as pairs of a uint32 item and the score. Returns the number of
  ;; kept entries.
  (func (export "scan")
    (param $tables i32) (param $blocks i32) (param $count i32) (param $codeBytes i32)
    (param $base f32) (param $step f32) (param $bias f32) (param $threshold f32)
    (param $kept i32) (param $scores i32)
    (result i32)
    (local $block i32) (local $at i32) (local $end i32) (local $table i32) (local $left i32)
    (local $lane i32) (local $laneEnd i32) (local $entry i32) (local $entryEnd i32)
    (local $next i32) (local $score f32)
    (local $codes v128) (local $low v128) (local $pair v128) (local $all v128) (local $odd v128)
    (local $even v128)
    (local.set $low (i8x16.splat (i32.const 15)))
    (local.set $block (local.get $blocks))
    (local.set $left (local.get $count))
    (local.set $next (local.get $kept))
    (block $done
      (loop $blocks
        (br_if $done (i32.le_s (local.get $left) (i32.const 0)))
        (local.set $all (v128.const i32x4 0 0 0 0))
        (local.set $odd (v128.const i32x4 0 0 0 0))
        (local.set $table (local.get $tables))
        (local.set $at (i32.add (local.get $block) (i32.const 128)))
        (local.set $end
          (i32.add (local.get $at) (i32.shl (local.get $codeBytes) (i32.const 4))))
        (loop $byte
          (local.set $codes (v128.load (local.get $at)))
          (local.set $pair
            (i8x16.add
              (i8x16.swizzle
                (v128.load (local.get $table))
                (v128.and (local.get $codes) (local.get $low)))
              (i8x16.swizzle
                (v128.load offset=16 (local.get $table))
                (v128.and
                  (i16x8.shr_u (local.get $codes) (i32.const 4))
                  (local.get $low)))))
          ;; A lane of 16 bits holds two entries: `odd` sums the upper ones and `all` both, so the
          ;; difference at the end is the sum of the lower ones.
          (local.set $all (i16x8.add (local.get $all) (local.get $pair)))
          (local.set $odd
            (i16x8.add (local.get $odd) (i16x8.shr_u (local.get $pair) (i32.const 8))))
          (local.set $table (i32.add (local.get $table) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $byte (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $even
          (i16x8.sub (local.get $all) (i16x8.shl (local.get $odd) (i32.const 8))))
        (local.set $all
          (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23
            (local.get $even) (local.get $odd)))
        (local.set $odd
          (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31
            (local.get $even) (local.get $odd)))
        (v128.store (local.get $scores)
          (f32x4.convert_i32x4_u (i32x4.extend_low_i16x8_u (local.get $all))))
        (v128.store offset=16 (local.get $scores)
          (f32x4.convert_i32x4_u (i32x4.extend_high_i16x8_u (local.get $all))))
        (v128.store offset=32 (local.get $scores)
          (f32x4.convert_i32x4_u (i32x4.extend_low_i16x8_u (local.get $odd))))
        (v128.store offset=48 (local.get $scores)
          (f32x4.convert_i32x4_u (i32x4.extend_high_i16x8_u (local.get $odd))))
        (local.set $lane (i32.const 0))
        (local.set $laneEnd
          (select
            (i32.shl (local.get $left) (i32.const 2))
            (i32.const 64)
            (i32.lt_s (local.get $left) (i32.const 16))))
        (loop $quarter
          (local.set $at (i32.add (local.get $scores) (local.get $lane)))
          (local.set $all
            (f32x4.add
              (f32x4.splat (local.get $base))
              (f32x4.mul
                (v128.load offset=64 (i32.add (local.get $block) (local.get $lane)))
                (f32x4.add
                  (f32x4.splat (local.get $bias))
                  (f32x4.mul (f32x4.splat (local.get $step)) (v128.load (local.get $at)))))))
          (v128.store (local.get $at) (local.get $all))
          ;; Few entries are kept, so usually none of these four needs a look of its own.
          (if (v128.any_true
                (f32x4.ge (local.get $all) (f32x4.splat (local.get $threshold))))
            (then
              (local.set $entry (local.get $lane))
              (local.set $entryEnd
                (select
                  (local.get $laneEnd)
                  (i32.add (local.get $lane) (i32.const 16))
                  (i32.lt_s
                    (local.get $laneEnd)
                    (i32.add (local.get $lane) (i32.const 16)))))
              (loop $entry
                (local.set $score
                  (f32.load (i32.add (local.get $scores) (local.get $entry))))
                (if (f32.ge (local.get $score) (local.get $threshold))
                  (then
                    (i32.store
                      (local.get $next)
                      (i32.load (i32.add (local.get $block) (local.get $entry))))
                    (f32.store offset=4 (local.get $next) (local.get $score))
                    (local.set $next (i32.add (local.get $next) (i32.const 8)))))
                (local.set $entry (i32.add (local.get $entry) (i32.const 4)))
                (br_if $entry (i32.lt_s (local.get $entry) (local.get $entryEnd))))))
          (local.set $lane (i32.add (local.get $lane) (i32.const 16)))
          (br_if $quarter (i32.lt_s (local.get $lane) (local.get $laneEnd))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 64)))
        (local.set $left (i32.sub (local.get $left) (i32.const 16)))
        (local.set $block (local.get $end))
        (br $blocks)))
    (i32.shr_u (i32.sub (local.get $next) (local.get $kept)) (i32.const 3)))

  ;; Looks up the scores of items, and finds the items whose lists were not scanned. `locations` has
  ;; a number for each item below `itemsMax`: its list in the upper 20 bits, its entry in the list in
  ;; the lower 12. `starts` has, for each list, the index of its first entry's score. For a list that
  ;; was not scanned this index stays negative whatever entry is added. An item without a score gets
  ;; `otherwise`, and its position goes to `unknown`. Returns the number of unknown items.
  (func (export "lookUp")
    (param $items i32) (param $count i32) (param $itemsMax i32) (param $locations i32)
    (param $starts i32) (param $scores i32) (param $otherwise f32) (param $out i32)
    (param $unknown i32)
    (result i32)
    (local $position i32) (local $item i32) (local $location i32) (local $score i32) (local $next i32)
    (local.set $next (local.get $unknown))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $position) (local.get $count)))
        (local.set $item (i32.load (local.get $items)))
        (local.set $location (i32.const 0))
        (if (i32.lt_u (local.get $item) (local.get $itemsMax))
          (then
            (local.set $location
              (i32.load
                (i32.add (local.get $locations) (i32.shl (local.get $item) (i32.const 2)))))))
        (local.set $score
          (i32.add
            (i32.load
              (i32.add
                (local.get $starts)
                (i32.shl (i32.shr_u (local.get $location) (i32.const 12)) (i32.const 2))))
            (i32.and (local.get $location) (i32.const 4095))))
        (if (i32.lt_s (local.get $score) (i32.const 0))
          (then
            (f32.store (local.get $out) (local.get $otherwise))
            (i32.store (local.get $next) (local.get $position))
            (local.set $next (i32.add (local.get $next) (i32.const 4))))
          (else
            (f32.store
              (local.get $out)
              (f32.load
                (i32.add (local.get $scores) (i32.shl (local.get $score) (i32.const 2)))))))
        (local.set $items (i32.add (local.get $items) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $position (i32.add (local.get $position) (i32.const 1)))
        (br $each)))
    (i32.shr_u (i32.sub (local.get $next) (local.get $unknown)) (i32.const 2)))

  ;; Scores single entries as `scan` does. For scattered entries this is less work than scanning
  ;; whole blocks. `blocks` and `lanes` are arrays of `count` uint32s, `bases` of `count` float32s.
  (func (export "scoreEntries")
    (param $tables i32) (param $blocks i32) (param $lanes i32) (param $bases i32)
    (param $count i32) (param $codeBytes i32) (param $step f32) (param $bias f32) (param $out i32)
    (local $lane i32) (local $block i32) (local $at i32) (local $end i32) (local $table i32)
    (local $codes i32) (local $sum i32)
    (block $done
      (loop $entry
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $block (i32.load (local.get $blocks)))
        (local.set $lane (i32.load (local.get $lanes)))
        (local.set $at (i32.add (local.get $block) (local.get $lane)))
        (local.set $end
          (i32.add (local.get $at) (i32.shl (local.get $codeBytes) (i32.const 4))))
        (local.set $table (local.get $tables))
        (local.set $sum (i32.const 0))
        (loop $byte
          (local.set $codes (i32.load8_u offset=128 (local.get $at)))
          (local.set $sum
            (i32.add
              (local.get $sum)
              (i32.add
                (i32.load8_u
                  (i32.add (local.get $table) (i32.and (local.get $codes) (i32.const 15))))
                (i32.load8_u offset=16
                  (i32.add (local.get $table) (i32.shr_u (local.get $codes) (i32.const 4)))))))
          (local.set $table (i32.add (local.get $table) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $byte (i32.lt_u (local.get $at) (local.get $end))))
        (f32.store
          (local.get $out)
          (f32.add
            (f32.load (local.get $bases))
            (f32.mul
              (f32.load offset=64
                (i32.add (local.get $block) (i32.shl (local.get $lane) (i32.const 2))))
              (f32.add
                (local.get $bias)
                (f32.mul (local.get $step) (f32.convert_i32_u (local.get $sum)))))))
        (local.set $blocks (i32.add (local.get $blocks) (i32.const 4)))
        (local.set $lanes (i32.add (local.get $lanes) (i32.const 4)))
        (local.set $bases (i32.add (local.get $bases) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $entry))))
)
