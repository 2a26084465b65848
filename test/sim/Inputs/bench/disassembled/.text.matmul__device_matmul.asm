L0:
(W)     mov (8|M0)               r3.0<1>:ud    r0.0<1;1,0>:ud                  {Compacted}
L16:
(W)     add (1|M0)               r3.5<1>:d     r3.5<0;1,0>:d     16:w          {I@1}
        send.ugm (1|M0)          r7       r3  null:0  0x0            0x02800203           {$0} // wr:1+0, rd:8; load_block2d.ugm.d16.a64
        dpas.8x8 (16|M0)         r44:f         r44:f             r26:bf            r7.0:bf          {Atomic,Compacted,$0.dst}
        dpas.8x8 (16|M0)         r52:f         r52:f             r34:bf            r7.0:bf          {$1}
(W)     mov (1|M0)               r4.0<1>:d     r3.5<0;1,0>:d
(W&f0.0) jmpi                                L16
L112:
        sync.nop                             null                             {$1.dst}
L128:
        mul (16|M0)              r44.0<1>:f    r44.0<1;1,0>:f    r5.0<0;1,0>:f
(W&f0.0) jmpi                                L128
        send.gtwy (1|M0)         null     r127  null:0  0x0            0x02000010           {EOT,I@1,$2} // wr:1+0, rd:0; end of thread
L200:
        illegal
